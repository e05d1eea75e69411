package main

import (
	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/gate"
)

// newGateTopic is the help about gates.
func newGateTopic() *cobra.Command {
	return &cobra.Command{Use: "gate", Short: "the format of gates.", Long: gate.Help}
}

// newCaseTopic is the help about case files.
func newCaseTopic() *cobra.Command {
	return &cobra.Command{Use: "case", Short: "the format of case files.", Long: caseHelp}
}

// newConfigTopic is the help about every key of a configuration.
func newConfigTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "config",
		Short: "every key of a configuration.",
		Long:  config.Help(),
	}
}

// newRecordsTopic is the help about the columns of records.
func newRecordsTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "records",
		Short: "every column of the records of a run.",
		Long:  recordsHelp(),
	}
}
