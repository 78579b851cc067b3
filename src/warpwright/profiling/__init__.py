"""Drive Nsight Compute and come back with a report, or with the reason why not."""
