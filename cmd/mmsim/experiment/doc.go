// Package experiment simulates. An Experiment simulates configurations in a number of
// replications each. Experiment.Run is the only function that simulates: the commands run,
// compare, check, sweep and tune parse flags and call it.
//
//	Config → Load → Inputs → Replication → Measure → Result → Outcome
//
// Inputs are the files and datasets that a configuration names, read and checked. A
// Replication is made from inputs and the number of a run. Its Result holds everything that
// was counted. The Outcome keeps only the summary, so memory does not grow with the number of
// replications.
//
// # Words
//
//	arm          a configuration of an experiment
//	run          the number of a replication; its random draws depend on seed and run
//	replication  an arm simulated in one run
//	job          a replication as work to do: the index of an arm, and a run
//	outcome      the result of a job: a summary, or an error
//
// # Order, faults and interruptions
//
// Jobs begin in the order of the runs and, within a run, of the arms. Options.Keep receives
// their outcomes in that order, whichever job finishes first. At most a few jobs for each
// core are ahead of the job that Keep waits for. A fault ends all other jobs at their next
// tick and is returned. When the context is cancelled, jobs under way end at their next tick
// with outcomes that are not complete. Jobs that had finished are in the store and are kept.
//
// # Inputs are made once
//
// The Cache holds days of joins, latency maps and RTTs of places under the hash of everything
// that they are made from. No list of settings has to say which settings two arms must share
// to use the same input: a setting that changes an input is part of its hash, and a test
// checks that for every key of the configuration.
//
// # Jobs on other machines
//
// The name of a job is Inputs.JobHash, the hash of its resolved configuration, in which files
// count by content. A Store keeps summaries by that name. Today it is a folder, which several
// processes may share: if two of them do the same job at once, both write the same bytes,
// each as a whole file.
//
// An Executor simulates replications. It turns inputs and a run into Work, and the experiment
// calls as many Works at a time as the executor can handle. The executor of this process
// simulates when its Work is called. The executor of package workers describes the job to
// other machines and waits for their results; those machines call Load, Replication and
// Measure with a Cache of their own, so jobs of one run share a day there too. Everything
// else is the same for both: the order, the store, and the handling of faults.
//
// Options.Measure (pictures, captures, the live page) works only in this process.
package experiment
