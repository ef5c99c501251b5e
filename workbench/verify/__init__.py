"""One model at several endpoints: which of them serves it as its reference does? Pure: requests, observations, verdicts, evidence."""
