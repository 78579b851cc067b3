"""Build, check, time and judge candidates. Host side: never imports torch or a candidate."""
