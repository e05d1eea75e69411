// Package workers simulates the replications of an experiment on other machines, over NATS
// JetStream. A Pool is an experiment.Executor; Work is the other side, `mmsim worker`.
//
//	coordinator: Pool                server                        worker: Work
//	Prepare   inputs ─────────────►  object store  ──────────────►  files in a scratch folder
//	Do        job ────────────────►  stream (work queue) ─lease──►  Load, Replication, Measure
//	          result ◄─── watch ───  bucket of records ◄──create──  summary, or an archive of files
//	                                                     ──ack───►  only then
//
// The server is either built in (--serve): it runs in the coordinator's process and keeps
// everything in memory. Or it is the studio's own NATS server (--nats).
//
// # Guarantees
//
//   - The server delivers a message until it is acknowledged, so at least once. A result exists
//     exactly once, because its record is created once, before the acknowledgement. A worker
//     that finishes second compares: the result of a job depends on its hash alone, and different
//     bytes are an error that names both workers. For a job that is not pure, the first result
//     counts.
//   - Results are not counted by acknowledgements: an acknowledgement may be late, and one from
//     before a restart must not end a job with the same number. So each start creates a new
//     stream.
//   - The lease is short; a worker renews it three times in that period.
//   - A record lists the workers that took the job and have neither finished it nor given it
//     back. After three such workers the job is given up, and the other jobs continue.
//   - An error of the input, or a fault of the program, is the same on every machine: it is a
//     result and ends the command. An error of a worker's disk or of its connection is reported
//     there and to the user of the coordinator. The job goes to another worker, and the worker
//     that failed waits before it takes another job of the session.
//   - The experiment keeps results in the order of jobs, so they do not depend on the number of
//     workers.
//   - Build (version, system, hash of the binary) and configuration hash are part of each job.
//
// # Contents of messages
//
// A job is the resolved configuration of a replication. It names files by number: joins,
// maps, rulesets, modules and recordings of matchmakers, profiles. A worker refuses any other
// name. It fetches the files by the hash of their content, checks the content, and writes the
// files into a folder that no file name can leave. It computes the hash of the job again from
// the loaded inputs. The record contains the result, a summary. Larger results, and the files
// of run --runs, are in the object store until the coordinator has fetched them.
//
// A matchmaker that is a program or a service is not sent. Its command or address is part of
// the job, and only a worker with --allow-exec starts or calls it; a program runs in the
// worker's folder. The name and version that the matchmaker reports are part of the hash, so
// that a different one is detected. A worker without --allow-exec, or without a matchmaker of
// that version, leaves the job to others and sends a note with the reason, which the
// coordinator shows its user once. A fault of a matchmaker in a pass is a result: it ends the
// command, and the part that was simulated is kept.
//
// # Restarts
//
// A directory has one coordinator at a time. A file beside the directory keeps its token and
// certificate while the command runs, so that workers recognise a coordinator that was killed
// and restarted. Results that it had fetched are in the directory's store. Workers without a
// connection try every second. So a restarted coordinator that has nothing to do, or finishes
// at once, waits some seconds for them and tells them that they may leave. On a studio's
// server, a command removes everything that it created. A killed coordinator leaves streams
// whose names begin with mmsim-, KV_mmsim- and OBJ_mmsim-; the same command finds and removes
// them, and their content expires after a week.
//
// # Not for
//
// Protection against malicious workers: a worker with the token can send any result.
package workers
