package search

import (
	"errors"
	"fmt"
	"strconv"

	"mmsim/cmd/mmsim/input"
)

// shard is the value I/N of --shard. It selects job I and every N-th job after it.
type shard struct{ number, of int }

// shardOf parses the value of --shard. Without it, the environment variables of a batch system
// assign one shard to each task of a job array.
func shardOf(flag string, env func(string) string) (shard, error) {
	if flag != "" {
		var s shard
		if n, err := fmt.Sscanf(flag, "%d/%d", &s.number, &s.of); n != 2 || err != nil || s.number < 1 || s.number > s.of ||
			flag != strconv.Itoa(s.number)+"/"+strconv.Itoa(s.of) {
			return s, input.Badf("--shard %s: expected I/N, such as 2/8 for the second of eight parts", flag)
		}
		return s, nil
	}
	for _, system := range []struct{ id, first, last, step string }{
		{"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX", "SLURM_ARRAY_TASK_STEP"},
		{"SGE_TASK_ID", "SGE_TASK_FIRST", "SGE_TASK_LAST", "SGE_TASK_STEPSIZE"},
	} {
		var values []int
		for _, name := range []string{system.id, system.first, system.last, system.step} {
			if n, err := strconv.Atoi(env(name)); err == nil {
				values = append(values, n)
			}
		}
		if len(values) == 4 && values[3] > 0 && values[1] <= values[0] && values[0] <= values[2] {
			return shard{(values[0]-values[1])/values[3] + 1, (values[2]-values[1])/values[3] + 1}, nil
		}
		if id := env(system.id); id != "" && id != "undefined" {
			return shard{}, input.Bad(errors.New(system.id + " is set, but the other variables of the job array are not: expected --shard I/N, or --shard 1/1 for all jobs"))
		}
	}
	return shard{1, 1}, nil
}
