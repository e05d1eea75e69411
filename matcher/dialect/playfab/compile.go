package playfab

import (
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

// Options are the settings that the vendor's file does not have.
type Options struct {
	// Strict makes unknown members errors instead of warnings.
	Strict bool
	// ExpansionBasis and OptionalBasis select which wait counts if the tickets of a match have
	// waited for different times. The documentation does not say so; the zero values are
	// recommended.
	ExpansionBasis matcher.ExpansionBasis
	OptionalBasis  matcher.OptionalBasis
	// Budget is the number of search steps per seed ticket, 0: the engine's default.
	Budget int
	// PartitionAbove is the number of waiting tickets above which the queue is
	// split, 0: never.
	PartitionAbove int
}

// Read compiles the queues in the text of a file. Messages begin with the name of the file.
// See [Compile].
func Read(file string, text []byte, options Options) (queues []*Queue, warnings []jsontree.Warning, err error) {
	root, err := jsontree.ParseAtMost(file, text, bytesMax)
	if err != nil {
		return nil, nil, err
	}
	return Compile(root, options)
}

// Compile compiles the queues of a JSON value, which is one queue or contains a list of queues.
// Each error and warning begins with FILE:LINE:COLUMN and names the rule and the member. Up to 20
// errors are joined.
func Compile(root jsontree.Value, options Options) (queues []*Queue, warnings []jsontree.Warning, err error) {
	if root.Size() > bytesMax {
		return nil, nil, jsontree.TooLarge(root.Place(), root.Size(), bytesMax)
	}
	var problems jsontree.Problems
	c := compiler{Options: options, problems: &problems}
	for _, v := range c.unwrap(root) {
		queue := c.queue(v)
		if problems.Count() > 0 {
			continue
		}
		// A queue that passed the checks above should be valid. If it is not, this gives an
		// error instead of a panic in the engine.
		if err := queue.Ruleset.Validate(); err != nil {
			problems.Errorf(v, "%v", err)
			continue
		}
		queues = append(queues, queue)
	}
	if err := problems.Err(); err != nil {
		return nil, problems.Warnings(), err
	}
	return queues, problems.Warnings(), nil
}

// Recognises reports whether a JSON value looks like queues of this vendor.
func Recognises(root jsontree.Value) bool {
	for _, member := range []string{"MatchmakingQueue", "MatchMakingQueues", "MinMatchSize", "MaxMatchSize"} {
		if _, ok := root.Member(member); ok {
			return true
		}
	}
	data, ok := root.Member("data")
	return ok && Recognises(data)
}

// compiler is the state of one Compile.
type compiler struct {
	Options
	problems *jsontree.Problems
	current  *Queue       // being read
	seen     []ruleInFile // rules of the current queue so far
}

// ruleInFile is the kind and the name of a rule, against which later rules are checked.
type ruleInFile struct{ kind, name string }

// unwrap returns the queues of a document: the document itself, or the queues inside the body
// of an API call. The body may be inside an HTTP response, which is not a documented format,
// but users save it.
func (c *compiler) unwrap(root jsontree.Value) []jsontree.Value {
	if data, ok := root.Member("data"); ok && Recognises(data) {
		root = data
	}
	if queue, ok := root.Member("MatchmakingQueue"); ok {
		c.wrapper(root, "MatchmakingQueue", "CustomTags")
		return []jsontree.Value{queue}
	}
	list, ok := root.Member("MatchMakingQueues")
	if !ok {
		return []jsontree.Value{root}
	}
	c.wrapper(root, "MatchMakingQueues", "CustomTags")
	if len(list.Elements()) == 0 {
		c.problems.Errorf(list, "MatchMakingQueues: got %v without queues, expected a list of at least one queue", list)
	}
	return list.Elements()
}

// wrapper reports unknown members of an object that contains queues.
func (c *compiler) wrapper(v jsontree.Value, known ...string) {
	if o, ok := c.problems.Object(v, ""); ok {
		for _, name := range known {
			o.Get(name)
		}
		c.unknown(o)
	}
}

// unknown reports the members that the schema does not have. The service ignores them, and so
// does this package.
func (c *compiler) unknown(o *jsontree.Object) {
	for _, m := range o.Rest() {
		if c.Strict {
			c.problems.MemberErrorf(m, "%s: unknown member", o.What(m.Name))
		} else {
			o.Warnf(m.Value, m.Name, "unknown member, ignored")
		}
	}
}

// hasRule reports whether the current queue has a rule of a kind.
func (c *compiler) hasRule(kind string) bool {
	return slices.ContainsFunc(c.seen, func(r ruleInFile) bool { return r.kind == kind })
}
