"""Controls that know core values and nothing else."""
