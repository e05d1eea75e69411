package commandtest

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Faulty is a program with a fault. Its first argument names the fault. Most faults occur in the
// third pass.
func Faulty() {
	in, wrong := bufio.NewReaderSize(os.Stdin, 1<<20), os.Args[1]
	if wrong == "deaf" {
		fmt.Println(`{"hello":1}`)
		time.Sleep(time.Hour)
	}
	if strings.HasSuffix(wrong, "family") {
		startChild("sleeper")
	}
	if wrong == "sleeper" || wrong == "sleeping family" {
		time.Sleep(time.Hour)
	}
	if wrong == "late" || wrong == "stays" {
		fmt.Fprintln(os.Stderr, "program", os.Getpid())
	}
	for lines := 0; ; lines++ {
		line, err := in.ReadString('\n')
		switch {
		case err != nil && wrong == "stays":
			time.Sleep(time.Hour)
		case err != nil:
			return
		case lines == 0 && wrong == "old":
			fmt.Println(`{"hello":0}`)
		case lines == 0 && wrong == "name":
			fmt.Printf("{\"hello\":1,\"name\":%q}\n", strings.Repeat("n", 20<<20))
		case lines == 0 && wrong == "version":
			fmt.Printf("{\"hello\":1,\"version\":%q}\n", strings.Repeat("1", 2000))
		case lines == 0:
			fmt.Println(`{"hello":1,"name":"faulty","version":"1"}`)
		case strings.HasPrefix(line, `{"bye"`):
		case lines < 3:
			fmt.Println(`{}`)
		default:
			fault(wrong)
		}
	}
}

// startChild starts this program with another fault, as a child that keeps the output open.
func startChild(wrong string) {
	child := exec.Command(os.Args[0], wrong)
	child.Stdout, child.Stderr = os.Stdout, os.Stderr
	if err := child.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	fmt.Fprintln(os.Stderr, "child", child.Process.Pid)
}

// answers are wrong answers to a pass by the name of the fault.
var answers = map[string]string{
	"family":  `{}`,
	"stays":   `{}`,
	"twice":   "{}\n{\"matches\":[]}",
	"broken":  `{"matches":[`,
	"words":   "hello, world \x1b[2J",
	"shape":   `{"matches":[{"tickets":"t1"}]}`,
	"says":    `{"error":"no map for \u001b[31mthis"}`,
	"unknown": `{"matches":[{"tickets":["t999999"]}],"later":{"a":[1]}}`,
}

// fault gives a wrong answer to the third pass. wrong is the name of the fault.
func fault(wrong string) {
	if answer, is := answers[wrong]; is {
		fmt.Println(answer)
	}
	switch wrong {
	case "late", "late family":
		time.Sleep(time.Hour)
	case "proposals":
		fmt.Println(`{"matches":[` + strings.Repeat(`{"tickets":["x"]},`, 2_900_000) + `{"tickets":["x"]}]}`)
	case "values":
		fmt.Println(`{"matches":[{"tickets":[` + strings.Repeat(`"x",`, 2_900_000) + `"x"]}]}`)
	case "says much":
		fmt.Printf("{\"error\":%q}\n", strings.Repeat("no map ", 1<<20))
	case "long", "endless":
		for chunk := strings.Repeat(`{"matches":`, 1<<16); ; {
			if _, err := os.Stdout.WriteString(chunk); err != nil {
				time.Sleep(time.Hour)
			}
		}
	case "dies":
		fmt.Fprintln(os.Stderr, "out of \x1b[31mideas")
		os.Exit(3)
	case "closes":
		os.Stdout.Close()
		time.Sleep(time.Hour)
	case "parent": // its child keeps the output open
		startChild("late")
		os.Exit(4)
	}
}
