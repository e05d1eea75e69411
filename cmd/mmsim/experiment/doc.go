// Package experiment simulates. An Experiment simulates some configurations in some
// replications each; Experiment.Run is the only way in which anything is simulated, and
// the commands run, compare, check, sweep and tune are a page of flags around it.
//
//	Config → Load → Inputs → Replication → Measure → Result → Outcome
//
// Inputs are what a configuration names, read and checked. A Replication is made from
// inputs and a run. Its Result is all that was counted; the Outcome that is kept of it is
// the summary alone, so that memory does not grow with the number of replications.
//
// # Words
//
//	arm          a configuration of an experiment
//	run          the number of a replication, which its random draws depend on: seed and run
//	replication  an arm simulated in one run
//	job          a replication as work to do: the index of an arm, and a run
//	outcome      what became of a job: a summary, or an error
//
// # Order, faults and interruptions
//
// Jobs are begun in the order of the runs and, within a run, of the arms, and Options.Keep
// is given their outcomes in that order, whatever is finished first. A few jobs for each
// core are ahead of the one that Keep waits for, never more. A fault ends all other jobs
// at their next tick and is returned; when the context is cancelled the jobs under way end
// at their next tick with outcomes that are not complete. Jobs that were finished by then
// are in the store, and are kept.
//
// # Inputs are made once
//
// The Cache holds days of joins, latency maps and RTTs of places under the hash of all
// that they are made from. There are no lists of settings that two arms must agree in: a
// setting that changes an input is part of its hash, which a test holds for every key of
// the configuration.
//
// # Jobs on other machines
//
// A Job is one replication of one arm. As bytes it is the resolved configuration of that
// replication (Experiment.Encode): any machine with the same build and the same files under the
// same names can do it, and finds the same summary. Its name is Inputs.JobHash: the hash
// of that configuration, in which files count by content. A Store keeps summaries by that
// name. It is a folder today, which several processes may share: a job that two of them do
// at once is written twice with the same bytes, as a whole. An object store needs Get and
// Put and nothing else.
//
// An Executor stands between the experiment and those who do its jobs. The experiment
// submits jobs, takes what became of them with Next, and cancels; a worker leases a job and
// returns what became of it. The executor of one process is a pair of channels, with as
// many workers as there are cores. One over a message queue would be:
//
//   - Submit publishes the encoded job under its hash. The queue drops a hash that it has
//     already, so that an experiment that was killed can submit everything again.
//   - Lease takes a message and holds it for a time that the worker extends while it
//     simulates. A worker that dies lets it run out, and another one takes the job.
//   - Return puts the summary into the Store and acknowledges the message. Doing a job
//     twice is harmless, because both find the same bytes.
//   - Next waits for acknowledgements and reads summaries from the Store.
//   - Cancel removes what nobody has leased, and tells workers that extend a lease to stop.
//
// A worker is a process that calls Load, Replication and the simulation for jobs that it
// leases, with a Cache of its own: jobs of one run come one after another, so that it finds
// their day there. What needs the process itself stays local: Options.Measure (records,
// pictures, captures, the live page) and progress.
package experiment
