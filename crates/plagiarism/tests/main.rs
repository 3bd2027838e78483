mod disguise;
mod hostile;
mod laws;
mod ranking;
mod testset;
