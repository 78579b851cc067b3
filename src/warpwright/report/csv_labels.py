"""Names behind the labels that the details and source pages print.

Facts taken from the section definitions that reports of 2020.3 to 2025.3 carry.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from warpwright.model.report import Value

Vintage = Literal["active", "elapsed"] | None

SECTION_IDS = {
    "Command line profiler metrics": "section0",
    "Compute Workload Analysis": "ComputeWorkloadAnalysis",
    "GPU Speed Of Light": "SpeedOfLight",
    "GPU Speed Of Light Throughput": "SpeedOfLight",
    "GPU Speed Of Light Roofline Chart": "SpeedOfLight_RooflineChart",
    "GPU and Memory Workload Distribution": "WorkloadDistribution",
    "Instruction Statistics": "InstructionStats",
    "Launch Statistics": "LaunchStats",
    "Memory Workload Analysis": "MemoryWorkloadAnalysis",
    "Memory Workload Analysis Chart": "MemoryWorkloadAnalysis_Chart",
    "Memory Workload Analysis Tables": "MemoryWorkloadAnalysis_Tables",
    "NUMA Affinity": "NumaAffinity",
    "NVLink": "Nvlink",
    "NVLink Tables": "Nvlink_Tables",
    "NVLink Topology": "Nvlink_Topology",
    "Occupancy": "Occupancy",
    "PM Sampling": "PmSampling",
    "PM Sampling: Warp States": "PmSampling_WarpStates",
    "Scheduler Statistics": "SchedulerStats",
    "Source Counters": "SourceCounters",
    "Warp State Statistics": "WarpStateStats",
}

_OF_PEAK = ".avg.pct_of_peak_sustained_elapsed"

_DETAILS = {
    "# SMs": "launch__sm_count",
    "# TPCs": "launch__tpc_count",
    "# Pass Groups": "profiler__pmsampler_pass_groups",
    "Achieved Active Warps Per SM": "sm__warps_active.avg.per_cycle_active",
    "Achieved Occupancy": "sm__warps_active.avg.pct_of_peak_sustained_active",
    "Active Warps Per Scheduler": "smsp__warps_active.avg.per_cycle_active",
    "Average DRAM Active Cycles": "dram__cycles_active.avg",
    "Average L1 Active Cycles": "l1tex__cycles_active.avg",
    "Average L2 Active Cycles": "lts__cycles_active.avg",
    "Average MC Channel Active Cycles": "mcc__cycles_active.avg",
    "Average SM Active Cycles": "sm__cycles_active.avg",
    "Average SMSP Active Cycles": "smsp__cycles_active.avg",
    "Avg. Active Threads Per Warp": "smsp__thread_inst_executed_per_inst_executed.ratio",
    "Avg. Divergent Branches": "smsp__sass_branch_targets_threads_divergent.avg",
    "Avg. Executed Instructions Per Scheduler": "smsp__inst_executed.avg",
    "Avg. Issued Instructions Per Scheduler": "smsp__inst_issued.avg",
    "Avg. Not Predicated Off Threads Per Warp": (
        "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio"
    ),
    "Block Limit Barriers": "launch__occupancy_limit_barriers",
    "Block Limit Registers": "launch__occupancy_limit_registers",
    "Block Limit SM": "launch__occupancy_limit_blocks",
    "Block Limit Shared Mem": "launch__occupancy_limit_shared_mem",
    "Block Limit Warps": "launch__occupancy_limit_warps",
    "Block Size": "launch__block_size",
    "Branch Efficiency": "smsp__sass_average_branch_targets_threads_uniform.pct",
    "Branch Instructions": "smsp__inst_executed_op_branch.sum",
    "Branch Instructions Ratio": "derived__smsp__inst_executed_op_branch_pct",
    "Cluster Occupancy": "launch__occupancy_cluster_pct",
    "Cluster Scheduling Policy": "launch__cluster_scheduling_policy",
    "Cluster Size": "launch__cluster_size",
    "Compute (SM) Throughput": f"sm__throughput{_OF_PEAK}",
    "DRAM Frequency": "dram__cycles_elapsed.avg.per_second",
    "DRAM Throughput": f"gpu__dram_throughput{_OF_PEAK}",
    "Driver Shared Memory Per Block": "launch__shared_mem_per_block_driver",
    "Duration": "gpu__time_duration.sum",
    "Dynamic Shared Memory Per Block": "launch__shared_mem_per_block_dynamic",
    "Elapsed Cycles": "gpc__cycles_elapsed.max",
    "Eligible Warps Per Scheduler": "smsp__warps_eligible.avg.per_cycle_active",
    "Enabled TPC IDs": "launch__tpc_enabled",
    "Executed Instructions": "smsp__inst_executed.sum",
    "Executed Ipc Active": "sm__inst_executed.avg.per_cycle_active",
    "Executed Ipc Elapsed": "sm__inst_executed.avg.per_cycle_elapsed",
    "Function Cache Configuration": "launch__func_cache_config",
    "Grid Size": "launch__grid_size",
    "Issued Instructions": "smsp__inst_issued.sum",
    "Issued Ipc Active": "sm__inst_issued.avg.per_cycle_active",
    "Issued Warp Per Scheduler": "smsp__issue_active.avg.per_cycle_active",
    "L1/TEX Cache Throughput": "l1tex__throughput.avg.pct_of_peak_sustained_active",
    "L1/TEX Hit Rate": "l1tex__t_sector_hit_rate.pct",
    "L2 Cache Throughput": f"lts__throughput{_OF_PEAK}",
    "L2 Compression Input Sectors": "lrc__ilc_input_sectors.sum",
    "L2 Compression Ratio": "lts__average_gcomp_output_sector_compression_achieved_rate.ratio",
    "L2 Compression Success Rate": "lts__average_gcomp_input_sector_success_rate.pct",
    "L2 Hit Rate": "lts__t_sector_hit_rate.pct",
    "L2 Persisting Size": "launch__persisting_l2_cache_size",
    "Local Memory Spilling Request Overhead": "derived__local_spilling_requests_pct",
    "Local Memory Spilling Requests": "derived__local_spilling_requests",
    "Logical Links": "nvlink__count_logical",
    "Max Active Clusters": "launch__cluster_max_active",
    "Max Bandwidth": f"gpu__compute_memory_request_throughput{_OF_PEAK}",
    "Max Cluster Size": "launch__cluster_max_potential_size",
    "Maximum Buffer Size": "profiler__pmsampler_buffer_size_bytes",
    "Maximum Sampling Interval": "profiler__pmsampler_interval_time",
    "Mem Busy": f"gpu__compute_memory_access_throughput{_OF_PEAK}",
    "Mem Pipes Busy": f"sm__memory_throughput{_OF_PEAK}",
    "Memory Throughput": f"gpu__compute_memory_throughput{_OF_PEAK}",
    "No Eligible": "smsp__issue_inst0.avg.pct_of_peak_sustained_active",
    "One or More Eligible": "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "Overall GPU Occupancy": "launch__occupancy_cluster_gpu_pct",
    "Physical Links": "nvlink__count_physical",
    "Preferred Cluster Size": "launch__preferred_cluster_size",
    "Registers Per Thread": "launch__registers_per_thread",
    "SM Active Cycles": "sm__cycles_active.avg",
    "SM Frequency": "gpc__cycles_elapsed.avg.per_second",
    "SOL DRAM": f"gpu__dram_throughput{_OF_PEAK}",
    "SOL L1/TEX Cache": "l1tex__throughput.avg.pct_of_peak_sustained_active",
    "SOL L2 Cache": f"lts__throughput{_OF_PEAK}",
    "SOL Memory": f"gpu__compute_memory_throughput{_OF_PEAK}",
    "SOL SM": f"sm__throughput{_OF_PEAK}",
    "Shared Memory Configuration Size": "launch__shared_mem_config_size",
    "Stack Size": "launch__stack_size",
    "Static Shared Memory Per Block": "launch__shared_mem_per_block_static",
    "Theoretical Active Warps per SM": "sm__maximum_warps_avg_per_active_cycle",
    "Theoretical Occupancy": "sm__maximum_warps_per_active_cycle_pct",
    "Threads": "launch__thread_count",
    "Total DRAM Elapsed Cycles": "dram__cycles_elapsed.sum",
    "Total L1 Elapsed Cycles": "l1tex__cycles_elapsed.sum",
    "Total L2 Elapsed Cycles": "lts__cycles_elapsed.sum",
    "Total MC Channel Elapsed Cycles": "mcc__cycles_elapsed.sum",
    "Total SM Elapsed Cycles": "sm__cycles_elapsed.sum",
    "Total SMSP Elapsed Cycles": "smsp__cycles_elapsed.sum",
    "Uses Green Context": "launch__uses_green_context",
    "Warp Cycles Per Executed Instruction": "smsp__average_warps_active_per_inst_executed.ratio",
    "Warp Cycles Per Issued Instruction": "smsp__average_warp_latency_per_inst_issued.ratio",
    "Waves Per SM": "launch__waves_per_multiprocessor",
}

# Reports until 2023.2 measured these against active cycles, those of 2025.3 against elapsed ones.
_BY_VINTAGE = {
    "Issue Slots Busy": "sm__inst_issued.avg.pct_of_peak_sustained_{}",
    "SM Busy": "sm__instruction_throughput.avg.pct_of_peak_sustained_{}",
}

_SAMPLES = "smsp__pcsamp_warps_issue_stalled_"
_ALL_SAMPLES = "group:smsp__pcsamp_warp_stall_reasons"
_HIT, _MISS = (f"smsp__sass_inst_executed_memdesc_explicit_{kind}prop_" for kind in ("hit", "miss"))

# What memory_type and memory_access_type hold as sums of these.
_CODES = {
    "memory_type": {"Global": 4, "Local": 8, "Shared": 16},
    "memory_access_type": {"Load": 2, "Store": 4},
}

_SOURCE = {
    "# Samples": "smsp__pcsamp_sample_count",
    "Access Operation": "memory_access_type",
    "Access Size": "memory_access_size_type",
    "Address Space": "memory_type",
    "Avg Thread Executed": "derived__avg_thread_executed",
    "Avg. Predicated-On Threads Executed": "derived__avg_thread_executed_true",
    "Avg. Predicated-On Threads Unexecuted": "derived__avg_thread_unexecuted_true",
    "Avg. Threads Executed": "derived__avg_thread_executed",
    "Derivative Avg. Predicated-On Threads Executed": (
        "derived__derivative_avg_thread_executed_true"
    ),
    "Divergent Branches": "smsp__branch_targets_threads_divergent",
    "Instructions Executed": "inst_executed",
    "L1 Conflicts Shared N-Way": "derived__memory_l1_conflicts_shared_nway",
    "L1 Sectors Global": "memory_l1_sectors_global",
    "L1 Sectors Shared": "memory_l1_sectors_shared",
    "L1 Sectors Shared Excessive": "derived__memory_l1_sectors_shared_excessive",
    "L1 Sectors Shared Ideal": "memory_l1_sectors_shared_ideal",
    "L1 Tag Requests Global": "memory_l1_tag_requests_global",
    "L1 Wavefronts Shared": "memory_l1_wavefronts_shared",
    "L1 Wavefronts Shared Excessive": "derived__memory_l1_wavefronts_shared_excessive",
    "L1 Wavefronts Shared Ideal": "memory_l1_wavefronts_shared_ideal",
    "L2 Explicit Evict Policies": "smsp__sass_inst_executed_memdesc_explicit_evict_type",
    "L2 Explicit Hit Policy Evict First": f"{_HIT}evict_first",
    "L2 Explicit Hit Policy Evict Last": f"{_HIT}evict_last",
    "L2 Explicit Hit Policy Evict Normal": f"{_HIT}evict_normal",
    "L2 Explicit Hit Policy Evict Normal Demote": f"{_HIT}evict_normal_demote",
    "L2 Explicit Miss Policy Evict First": f"{_MISS}evict_first",
    "L2 Explicit Miss Policy Evict Normal": f"{_MISS}evict_normal",
    "L2 Sectors Global": "memory_l2_sectors_global",
    "L2 Sectors Global Excessive": "derived__memory_l2_sectors_global_excessive",
    "L2 Sectors Global Ideal": "memory_l2_sectors_global_ideal",
    "L2 Theoretical Sectors Global": "memory_l2_theoretical_sectors_global",
    "L2 Theoretical Sectors Global Excessive": (
        "derived__memory_l2_theoretical_sectors_global_excessive"
    ),
    "L2 Theoretical Sectors Global Ideal": "memory_l2_theoretical_sectors_global_ideal",
    "L2 Theoretical Sectors Local": "memory_l2_theoretical_sectors_local",
    "Predicated-On Thread Instructions Executed": "thread_inst_executed_true",
    "Sampling Data (All)": _ALL_SAMPLES,
    "Sampling Data (Not Issued)": f"{_ALL_SAMPLES}_not_issued",
    "Thread Instructions Executed": "thread_inst_executed",
    "Warp Stall Sampling (All Cycles)": _ALL_SAMPLES,
    "Warp Stall Sampling (All Samples)": _ALL_SAMPLES,
    "Warp Stall Sampling (Not-issued Cycles)": f"{_ALL_SAMPLES}_not_issued",
    "Warp Stall Sampling (Not-issued Samples)": f"{_ALL_SAMPLES}_not_issued",
}

_STALLS = {
    "dispatch": "dispatch_stall",
    "gmma": "warpgroup_arrive",
    "imc": "imc_miss",
    "lg": "lg_throttle",
    "long_sb": "long_scoreboard",
    "math": "math_pipe_throttle",
    "mio": "mio_throttle",
    "no_inst": "no_instructions",
    "short_sb": "short_scoreboard",
    "sleep": "sleeping",
    "tex": "tex_throttle",
}


def vintage_of(labels: Collection[str], units: Collection[str]) -> Vintage:
    """By what a page's labels and units show of its report's age; None if they do not tell."""
    if "# TPCs" in labels:
        return "elapsed"
    launch_section = "Registers Per Thread" in labels
    long_units = any("second" in unit for unit in units)
    return "active" if long_units or (launch_section and "# SMs" not in labels) else None


def details_metric(label: str, section: str, vintage: Vintage) -> str:
    """The metric behind a label of the details page; the label itself if it is not known.

    Args:
        label: the cell Metric Name.
        section: the section's id.
        vintage: of the report, by which some labels differ.
    """
    if label == "Memory Throughput" and section == "MemoryWorkloadAnalysis":
        return "dram__bytes.sum.per_second"
    if label in _BY_VINTAGE:
        return _BY_VINTAGE[label].format(vintage) if vintage else label
    return _DETAILS.get(label, label)


def source_metric(label: str) -> str:
    """The metric behind a column of the source page; the label itself if it is not known."""
    if label.startswith("stall_"):
        reason, _, rest = label.removeprefix("stall_").partition(" ")
        return _SAMPLES + _STALLS.get(reason, reason) + ("_not_issued" if rest else "")
    return _SOURCE.get(label, label)


def source_code(name: str, value: Value) -> Value:
    """The number that a report holds for `Global,Shared`; other values, and unknown words, stay."""
    codes = _CODES.get(name)
    words = value.split(",") if codes and isinstance(value, str) else []
    if codes and words and all(word in codes for word in words):
        return sum(codes[word] for word in words)
    return value
