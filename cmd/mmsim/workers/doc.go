// Package workers simulates the replications of an experiment on other machines. The machines
// exchange messages over NATS JetStream. The coordinator is the process that runs the
// experiment. Its Pool is an experiment.Executor that submits jobs. A worker is a process that
// does jobs: `mmsim worker`, which is Work in this package.
//
//	coordinator: Pool                server                        worker: Work
//	Prepare   inputs ─────────────►  object store  ──────────────►  files in a scratch folder
//	Do        job ────────────────►  stream (work queue) ─lease──►  Load, Replication, Measure
//	          result ◄─── watch ───  bucket of records ◄──create──  summary, or an archive of files
//	                                                     ──ack───►  only then
//
// The server is either built in (--serve) or the studio's own NATS server (--nats). The
// built-in server runs in the coordinator's process and keeps everything in memory.
//
// # Guarantees
//
//   - Each job is delivered at least once, because the server repeats a message until it is
//     acknowledged.
//   - Each job has exactly one result: a worker writes its result to the job's record, unless the
//     record has one, and then acknowledges the job. A second worker that finishes the job
//     compares its result with the first. The result of a pure job depends only on the job's hash,
//     so a difference is an error, which names both workers. If a job is not pure, the first
//     result counts.
//   - An acknowledgement from before a restart cannot end a job, because each start creates a new
//     stream. Results are not counted by acknowledgements, which may be late.
//   - A lease is short. A worker renews it three times in its duration.
//   - A job is given up after it killed three workers: a record lists the workers that took the
//     job and have neither finished it nor given it back. The other jobs continue.
//   - An error in the input or in the program is the same on every machine. It is the job's result
//     and ends the command.
//   - An error of a worker's disk or connection does not end the command. The worker and the
//     coordinator print it, and the job goes to another worker. The worker that failed waits
//     before it takes another job.
//   - Results do not depend on the number of workers, because the experiment keeps them in the
//     order of jobs.
//   - A job contains the build (version, system, hash of the binary) and the hash of the
//     configuration. A worker does only jobs of its own build.
//
// # Contents of messages
//
// A job contains the resolved configuration of a replication. The configuration refers to
// files by number: joins, country weights, lists of datacenters, maps, rulesets, modules and
// recordings of matchmakers, and profiles. A worker rejects any other file name. It fetches
// each file by the hash of its content, checks the content, and writes the file to a folder
// that no file name can leave. After loading the inputs, it computes the job's hash again and
// compares the two hashes.
//
// The record of a job contains its result, which is a summary or, for run --runs, an archive of
// files. A result above the limit resultInline is in the object store instead, until the
// coordinator has fetched it.
//
// A matchmaker that is a program or a service is not sent to workers. The job contains its
// command or address, and only a worker with --allow-exec starts or calls it. A program runs
// in the folder that was given to the worker. The name and version that a matchmaker reports
// are part of the job's hash, so a worker notices if it has a different version. A worker
// without --allow-exec, or with another version of the matchmaker, leaves the job to other
// workers. It sends a note with the reason, which the coordinator prints once. If a matchmaker
// fails in a pass, the error is the job's result. It ends the command, and the part simulated
// before is kept.
//
// # Restarts
//
// A result directory has one coordinator at a time. While the command runs, a file beside the
// directory keeps the coordinator's token and certificate, so that workers recognise a
// coordinator that was killed and restarted. Results that it had fetched are in the
// directory's store. Workers without a connection try to reconnect every second. A restarted
// coordinator may have nothing to do, or finish at once. It then waits some seconds for these
// workers to reconnect, and tells them to leave.
//
// On a NATS server, a command removes everything that it created. A killed coordinator leaves
// streams whose names begin with mmsim-, KV_mmsim- and OBJ_mmsim-. The same command finds and
// removes them. Otherwise, their content expires after a week.
//
// # Security
//
// A worker with the token can send any result. The protocol does not protect against malicious
// workers.
package workers
