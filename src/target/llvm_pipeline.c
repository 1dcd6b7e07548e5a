/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_pipeline.c - LLVM 19's default<O2> in two halves, in its own words and order
 * (PassBuilderPipelines.cpp; `opt-19 -passes='default<O2>' -print-pipeline-passes` prints it).
 *
 * The first half asks nothing of a processor that levels of one architecture answer differently; it
 * runs once for all of them. The second chooses vectors. Left out is what cannot apply to this
 * text: coroutines, OpenMP, annotations, profiles, library calls, divergent targets. Each other
 * pass stays: shorter lists were measured, and their code ran slower. Only the lowest level of x86
 * has such a list.
 */
#include "target/llvm_code.h"

/* Its textual default ends the process where a second round would change something. */
#define COMBINE "instcombine<no-verify-fixpoint>"
#define CFG "simplifycfg<switch-range-to-icmp>"
#define CFG_HOIST "simplifycfg<switch-range-to-icmp;hoist-common-insts;sink-common-insts>"
#define CFG_LOOKUP                                                                                 \
    "simplifycfg<forward-switch-cond;switch-range-to-icmp;switch-to-lookup;no-keep-loops;"         \
    "hoist-common-insts;sink-common-insts>"
#define CFG_LAST "simplifycfg<switch-range-to-icmp;speculate-unpredictables>"

/* First what no task of the part calls is dropped. */
const char llvm_simplify[] =
    "globaldce,function<eager-inv>(simplifycfg,sroa<modify-cfg>,early-cse<>),"
    "ipsccp,globalopt,function<eager-inv>(mem2reg," COMBINE "," CFG "),"
    "require<globals-aa>,function(invalidate<aa>),require<profile-summary>,"
    "cgscc(devirt<4>(inline,function-attrs<skip-non-recursive-function-attrs>,"
    "function<eager-inv;no-rerun>(sroa<modify-cfg>,early-cse<memssa>,jump-threading,"
    "correlated-propagation," CFG "," COMBINE ",aggressive-instcombine,"
    "tailcallelim," CFG ",reassociate,constraint-elimination,"
    "loop-mssa(loop-instsimplify,loop-simplifycfg,licm<no-allowspeculation>,"
    "loop-rotate,licm,simple-loop-unswitch)," CFG "," COMBINE ","
    "loop(loop-idiom,indvars,simple-loop-unswitch,loop-deletion,loop-unroll-full),"
    "sroa<modify-cfg>,vector-combine,mldst-motion,gvn<>,sccp,bdce," COMBINE ","
    "jump-threading,correlated-propagation,adce,memcpyopt,dse,loop-mssa(licm)," CFG_HOIST
    "," COMBINE "),function-attrs)),"
    "deadargelim,globalopt,globaldce,rpo-function-attrs";

/* What levels begin and end with. */
#define BEGINNING                                                                                  \
    "globaldce,recompute-globalsaa,function<eager-inv>(float2int,lower-constant-intrinsics,"       \
    "loop(loop-rotate,loop-deletion),"
#define ENDING                                                                                     \
    "loop-mssa(licm),alignment-from-assumptions,loop-sink,instsimplify,div-rem-pairs,"             \
    "tailcallelim," CFG_LAST "),globaldce,constmerge"

const char llvm_optimize[] =
    BEGINNING "loop-distribute,loop-vectorize,infer-alignment,loop-load-elim," COMBINE
              "," CFG_LOOKUP ",slp-vectorizer,vector-combine," COMBINE
              ",loop-unroll<O2>,sroa<preserve-cfg>,infer-alignment," COMBINE "," ENDING;

/* For the level that few processors run: loops over rows have their vectors, and no more is done.
 * It takes LLVM a fifth less; of the loops measured, sums from the cache are 1.7 times as slow. */
const char llvm_optimize_briefly[] =
    BEGINNING "loop-vectorize,infer-alignment," COMBINE "," CFG_LOOKUP ",vector-combine," ENDING;
