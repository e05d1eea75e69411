// Package workers has the replications of an experiment simulated on other machines, over
// NATS JetStream. A Pool is an experiment.Executor; Work is the other side, `mmsim worker`.
//
//	coordinator: Pool                server                        worker: Work
//	Prepare   inputs ─────────────►  object store  ──────────────►  files in a scratch folder
//	Do        job ────────────────►  stream (work queue) ─lease──►  Load, Replication, Measure
//	          result ◄─── watch ───  bucket of records ◄──create──  summary, or an archive of files
//	                                                     ──ack───►  only then
//
// The server is inside the coordinator's process (--serve) and keeps all in memory, or is one
// that the studio has (--nats).
//
// # What must hold
//
//   - A message is handed out until it is acknowledged, so at least once. A result is there
//     exactly once, because its record is created once, before the acknowledgement. Who comes
//     second compares: a job is a function of its hash, and different bytes are an error that
//     names both workers. A job that is not pure has no such function: its first result stands.
//   - Nothing is counted by acknowledgements: a late one is accepted, and one from before a
//     restart must not end a job that has its number today. So each start makes a new stream.
//   - The lease is short and a worker shows three times in it that it lives.
//   - A record lists the workers that took the job and have neither finished it nor given it
//     back. After three the job is given up, and the others go on.
//   - An error that the input is to blame for, or a fault of the program, is the same on every
//     machine: it is a result and ends the command. An error of a worker's disk or of the way
//     to the server is told there and to the user of the coordinator. The job goes to another
//     worker: the one that could not do it waits before it takes one again.
//   - The experiment keeps results in the order of jobs, so that the number of workers does
//     not show in them.
//   - Build (version, system, hash of the binary) and configuration hash travel with each job.
//
// # What travels
//
// A job is the resolved configuration of a replication, in which files are named by number:
// joins, maps, rulesets, modules and recordings of matchmakers, profiles. A worker refuses any
// other name, fetches the files by the hash of their content, checks it, and
// writes them into a folder that nothing can leave. It finds the hash of the job again from
// what it has loaded. A result is a summary in the record; what is larger, and the files of
// run --runs, are in the object store until the coordinator has taken them.
//
// A matchmaker that is a program or a service is not sent. Its command or address is in the job,
// and only a worker with --allow-exec starts or asks it: a program in the folder of the worker.
// The name and version that it says are part of the hash, so that another one is noticed. A
// worker that may not, or has none of that version, leaves the job to others and notes why; the
// coordinator tells its user once. What a matchmaker does wrong in a pass is a result: it ends
// the command, beside what was simulated until then.
//
// # Restarts
//
// The directory of a command is held by one coordinator at a time. Its file beside the
// directory keeps token and certificate while the command runs: workers find a coordinator
// again that was killed and restarted. Results that it has taken are in the directory's store.
// Workers without a connection try every second. So a restarted coordinator that has nothing to
// do, or is done at once, waits some seconds for them, and tells them that they may leave.
// On a studio's server a command removes everything that it made. What a killed one leaves,
// streams whose names begin with mmsim-, KV_mmsim- and OBJ_mmsim-, is empty after a week; the
// same command finds it and removes it.
//
// # Not for
//
// Making a machine trustworthy: who has the token may send any result.
package workers
