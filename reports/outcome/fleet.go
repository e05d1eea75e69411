package outcome

// Fleet describes the machines that host the matches of a run, and what they cost. The fleet is
// simulated after the matches and does not change them. Costs are in the currency of the prices.
type Fleet struct {
	CostPerDay       Value   `json:"cost_per_day" unit:"currency" better:"lower" words:"cost of the fleet per day" meaning:"Cost of machines and traffic per 24 hours of the measured window"`
	CostPer1000Hours Value   `json:"cost_per_1000_player_hours" unit:"currency" better:"lower" base:"matches.count" words:"cost of the fleet per 1,000 hours of play" meaning:"Cost of machines and traffic per 1,000 hours that players play"`
	MachineHours     Average `json:"machine_hours" unit:"h" better:"lower" words:"billed machine hours" meaning:"Billed hours of all machines in the measured window"`
	TrafficGB        Average `json:"traffic_gb" unit:"GB" better:"lower" words:"traffic of the fleet" meaning:"Traffic of all players while they play (fleet.traffic)"`
	MachinesMean     Average `json:"machines_mean" unit:"machines" words:"machines on average" meaning:"Mean number of machines over time, ready and starting"`
	MachinesPeak     Count   `json:"machines_peak" unit:"machines" words:"machines at the peak" meaning:"Highest number of machines at once, ready and starting"`
	SlotsUsed        Share   `json:"slots_used" better:"higher" base:"machines_peak" words:"used share of slots" meaning:"Mean share of the slots of all machines, ready and starting, that host a match"`
	ShareWaited      Share   `json:"share_waited" better:"lower" base:"matches.count" matters:"0.1pp" words:"share of matches that waited for a slot" meaning:"Share of matches that found no free slot when they began"`
	Wait             Waits   `json:"wait_s" better:"lower" base:"matches.count"`
	Unserved         Count   `json:"unserved" unit:"matches" better:"lower" words:"matches without a slot at the end" meaning:"Matches that still waited for a slot at the end of the measured window"`
}

// Waits describes how long matches wait for a slot, over all matches that got one. Most wait 0 s.
type Waits struct {
	Mean Seconds `json:"mean" better:"*" words:"mean wait for a slot" meaning:"Mean wait of matches for a slot on a machine"`
	P99  Seconds `json:"p99" better:"*" words:"p99 wait for a slot" meaning:"99th percentile of the wait of matches for a slot on a machine"`
	Max  Seconds `json:"max" better:"*" words:"longest wait for a slot" meaning:"Longest wait of a match for a slot on a machine"`
}

// SiteFleet describes the machines of one datacenter. Its fields are nil without a fleet.
type SiteFleet struct {
	MachineHours *Average `json:"machine_hours,omitempty" when:"a fleet (fleet.prices)" unit:"h" better:"lower" words:"billed machine hours *" meaning:"Billed hours of the machines *"`
	CostPerDay   *Value   `json:"cost_per_day,omitempty" when:"a fleet (fleet.prices)" unit:"currency" better:"lower" words:"cost per day *" meaning:"Cost of machines and traffic per 24 hours of the measured window *"`
	MachinesPeak *Count   `json:"machines_peak,omitempty" when:"a fleet (fleet.prices)" unit:"machines" words:"machines at the peak *" meaning:"Highest number of machines at once, ready and starting, *"`
	ShareWaited  *Share   `json:"share_waited,omitempty" when:"a fleet (fleet.prices)" better:"lower" base:"matches" matters:"0.1pp" words:"share of matches that waited for a slot *" meaning:"Share of matches that found no free slot when they began *"`
}
