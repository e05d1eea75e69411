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
// A job has a name: Inputs.JobHash, the hash of its resolved configuration, in which files
// count by content. A Store keeps summaries by that name. It is a folder today, which several
// processes may share: a job that two of them do at once is written twice with the same bytes,
// as a whole.
//
// An Executor has replications simulated. It makes Work of inputs and a run, and the
// experiment calls as many Works at a time as the executor is good for. The executor of this
// process simulates when it is called. That of package workers describes the job to other
// machines and waits for what they found; they call Load, Replication and Measure with a Cache
// of their own, so that jobs of one run find their day there. Everything else is the same for
// both: the order, the store, and what a fault does.
//
// Options.Measure (pictures, captures, the live page) needs the process itself.
package experiment
