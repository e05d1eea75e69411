// Package experiment runs simulations. An Experiment simulates one or more configurations,
// each in one or more replications. All commands that simulate (run, compare, check, sweep and
// tune) call Experiment.Run.
//
//	Config → Load → Inputs → Replication → Measure → Result → Outcome
//
// Inputs are the files and data that a configuration names, read and checked. A Replication
// combines inputs with the number of a run. Its Result has everything that was counted in the
// simulation. The Outcome keeps only the summary of the Result, so memory does not grow with
// the number of replications.
//
// # Words
//
//	arm          a configuration in an experiment
//	run          the number of a replication; random draws depend on the seed and this number
//	replication  one arm in one run
//	job          the task of simulating a replication
//	outcome      the result of a job: a summary or an error
//
// # Order, errors and interruptions
//
// Jobs are ordered by run, then by arm. They start in this order, and Options.Keep receives
// their outcomes in this order even if a later job finishes first. The constant ahead limits
// how many jobs may start before the job that Keep waits for has finished.
//
// When a job fails, Run soon stops all other jobs and returns the error. When the context is
// cancelled, jobs that simulate soon stop and have incomplete outcomes, and jobs that have not
// begun to simulate have none. In both cases, the Store keeps the summaries of jobs that had finished.
//
// # Shared inputs
//
// The Cache holds days of joins, latency maps and the RTTs of places, so that arms and
// replications can share them. The key of each input is a hash of everything that the input is
// made from. Two arms therefore share an input if all settings that affect it are equal. A
// test checks this for every setting.
//
// # Jobs on other machines
//
// Inputs.JobHash identifies a job. It is a hash of the resolved configuration in which the
// content of each file replaces the file's name. A Store keeps summaries by this hash. The
// only Store is a folder, which several processes may share. If two of them do the same job at
// once, both write the same bytes, and each replaces the whole file.
//
// An Executor simulates replications. It turns inputs and a run number into Work, and the
// experiment calls several Works at a time, up to the executor's limit. The executor of this
// process simulates when its Work is called. The executor of package workers sends the job to
// another machine and waits for the result. That machine calls Load, Replication and Measure
// with its own Cache, so jobs of one run share a day there too. Order, storage and errors are
// handled in the same way for both.
package experiment
