package playfab

import (
	"slices"

	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
)

// Read compiles the queues in text. Messages begin with file, the name of its file.
func Read(file string, text []byte, options vendor.Options) (queues []*Queue, warnings []jsontree.Warning, err error) {
	return vendor.Read(file, text, bytesMax, options, compile)
}

// compile compiles the queues of a document, which is a queue or contains a list of queues. Each
// error and warning names the rule and the JSON member.
func compile(root jsontree.Value, options vendor.Options) ([]*Queue, []jsontree.Warning, error) {
	return vendor.Compile(root, bytesMax, func(problems *jsontree.Problems) (queues []*Queue) {
		c := compiler{Options: options, problems: problems}
		for _, v := range c.unwrap(root) {
			if q := c.validQueue(v); q != nil {
				queues = append(queues, q)
			}
		}
		return queues
	})
}

// compileQueue is like compile for a value that is a queue.
func compileQueue(v jsontree.Value, options vendor.Options) (*Queue, []jsontree.Warning, error) {
	return vendor.Compile(v, bytesMax, func(problems *jsontree.Problems) *Queue {
		c := compiler{Options: options, problems: problems}
		return c.validQueue(v)
	})
}

// validQueue reads a queue. It returns nil if there was an error, also in a queue before it.
func (c *compiler) validQueue(v jsontree.Value) *Queue {
	q := c.queue(v)
	if c.problems.Count() > 0 {
		return nil
	}
	// A queue without errors should be valid. If it is not, report an error here rather than let the
	// engine panic.
	if err := q.Ruleset.Validate(); err != nil {
		c.problems.Errorf(v, "%v", err)
		return nil
	}
	return q
}

// Recognises reports whether a JSON value looks like queues of this vendor.
func Recognises(root jsontree.Value) bool {
	if vendor.HasMember(root, "MatchmakingQueue", "MatchMakingQueues", "MinMatchSize", "MaxMatchSize") {
		return true
	}
	if list := root.Elements(); len(list) > 0 {
		return list[0].Kind() == jsontree.Struct && Recognises(list[0])
	}
	data, ok := root.Member("data")
	return ok && Recognises(data)
}

// compiler holds the state of one call of compile.
type compiler struct {
	vendor.Options
	problems *jsontree.Problems
	current  *Queue       // queue that is being read
	seen     []ruleInFile // rules of the current queue that were already read
}

// ruleInFile identifies a rule by kind and name. Later rules are checked for conflicts with it.
type ruleInFile struct{ kind, name string }

// unwrap returns the queues in a document. The document is a queue, a list of queues, or the body of
// an API call that contains queues. The body may be inside an HTTP response. That format is not
// documented, but users save it.
func (c *compiler) unwrap(root jsontree.Value) []jsontree.Value {
	if data, ok := root.Member("data"); ok && Recognises(data) {
		root = data
	}
	if queue, ok := root.Member("MatchmakingQueue"); ok {
		c.wrapper(root, "MatchmakingQueue", "CustomTags")
		return []jsontree.Value{queue}
	}
	if root.Kind() == jsontree.List && Recognises(root) {
		var queues []jsontree.Value
		for _, e := range root.Elements() {
			queues = append(queues, c.unwrap(e)...)
		}
		return queues
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

// wrapper reports unknown JSON members of an object that wraps queues.
func (c *compiler) wrapper(v jsontree.Value, known ...string) {
	if o, ok := c.problems.Object(v, ""); ok {
		for _, name := range known {
			o.Get(name)
		}
		c.unknown(o)
	}
}

// unknown reports JSON members that are not in the schema. Neither the service nor this package
// uses them.
func (c *compiler) unknown(o *jsontree.Object) {
	for _, m := range o.Rest() {
		if c.Strict {
			c.problems.MemberErrorf(m, "%s: unknown member", o.Label(m.Name))
		} else {
			o.Warnf(m.Value, m.Name, "unknown member, ignored")
		}
	}
}

// hasRule reports whether the current queue has a rule of a kind.
func (c *compiler) hasRule(kind string) bool {
	return slices.ContainsFunc(c.seen, func(r ruleInFile) bool { return r.kind == kind })
}
