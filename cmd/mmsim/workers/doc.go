// Package workers simulates the replications of an experiment on other machines. The coordinator is
// the process that runs the experiment: its [Coordinator] is an experiment.Executor that submits
// jobs. A worker is a process that does jobs: `mmsim worker`, which is Work in this package.
// Between them is a server, which package hub describes.
//
//	Coordinator                      server                        worker: Work
//	Prepare   inputs ─────────────►  object store  ──────────────►  files in a scratch folder
//	do        job ────────────────►  queue of a kind ────lease───►  Load, Replication, Measure
//	          result ◄─── read ────  record of the job ◄──create──  an archive of files
//	watch     who is there ◄────────────── news ──────────────────  job stored, jobs running, unable
//	                                 queue  ◄────────────ack──────  only then
//
// # Guarantees
//
//   - Each job is delivered at least once, and has exactly one result: a worker creates the job's
//     record before it acknowledges the job. A second worker that finishes the job compares its
//     result with the first. The result of a pure job depends only on the job's hash, so a
//     difference is an error, which names both workers. If a job is not pure, the first result
//     counts.
//   - Whatever the server loses is put back. Coordinator.do repeats: read the record, publish the
//     job unless the queue has it, wait. Every watchEvery, Coordinator.watch compares the waiting
//     jobs with the server and wakes those that are missing there. So messages and news may be
//     lost, and a late acknowledgement that ends the wrong job does no harm.
//   - A worker receives only jobs of its build, and of kinds that it may do. A worker that cannot do
//     a job all the same gives it back and says why. If that is so for all connected workers for
//     the time quiet, the command ends with the reasons.
//   - A job is given up when deathsMax workers fell silent while they did it, when it was delivered
//     hub.DeliveriesMax times, or when it took longer than jobLongest. The other jobs continue.
//   - An error in the input or in the program is the same on every machine. It is the job's result
//     and ends the command.
//   - A result directory has one coordinator at a time. The token, from which the session has its
//     name, is beside it while the command runs, so that a killed coordinator continues when it is
//     started again.
//   - Results do not depend on the number of workers, because the experiment keeps them in the
//     order of jobs.
//
// # Contents of messages
//
// A job contains the resolved configuration of a replication, which refers to files by number. A
// worker rejects any other file name. It fetches each file by the hash of its content, checks the
// content, and writes the file to a folder that no file name can leave. A folder of latency maps is one
// archive. After loading the inputs, it
// computes the job's hash again and compares the two. A result above the limit resultInline is in
// the object store until the coordinator has fetched it.
//
// Only a worker with --allow-exec starts a matchmaker that is a program, or calls one that is a service.
// If the program's command names a file in the folder where it runs, the folder is an input of the
// job, as one archive. If the folder is too large, the program runs in the worker's folder, and must be
// there. The name and version that a matchmaker reports are part of the job's hash.
//
// A worker with the token can send any result, and pose as the coordinator: there is no protection
// against malicious workers.
package workers
