// Calls every method of services of google.golang.org/api against a mock, by
// reflection. Reads a table of calls from standard input, and writes the result of
// each call as a line of JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"strconv"
	"strings"
)

// Call of a method: its path of resources and method, and its arguments.
type Call struct {
	Service string
	// Endpoint relative to the URL of the mock: prefix and service path.
	Endpoint string
	Method   string
	Path     []string
	Args     []string
	Query    map[string]string
	Body     json.RawMessage
}

type Result struct {
	Service string
	Method  string
	// "ok", "absent" if the package has no such method, or the error.
	Outcome string
}

func plain(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", ".", "").Replace(name))
}

// member finds a field of a service by the name of a resource.
func member(value reflect.Value, name string) (reflect.Value, bool) {
	value = reflect.Indirect(value)
	for index := 0; index < value.NumField(); index++ {
		if plain(value.Type().Field(index).Name) == plain(name) {
			return value.Field(index), true
		}
	}
	return reflect.Value{}, false
}

func method(value reflect.Value, name string) (reflect.Value, bool) {
	for index := 0; index < value.NumMethod(); index++ {
		if plain(value.Type().Method(index).Name) == plain(name) {
			return value.Method(index), true
		}
	}
	return reflect.Value{}, false
}

// argument converts a text to the type of an argument.
func argument(kind reflect.Type, text string) (reflect.Value, error) {
	switch kind.Kind() {
	case reflect.String:
		return reflect.ValueOf(text).Convert(kind), nil
	case reflect.Bool:
		return reflect.ValueOf(text == "true"), nil
	case reflect.Slice:
		element, err := argument(kind.Elem(), text)
		if err != nil {
			return reflect.Value{}, err
		}
		return reflect.Append(reflect.MakeSlice(kind, 0, 1), element), nil
	case reflect.Int64, reflect.Int, reflect.Int32:
		number, err := strconv.ParseInt(text, 10, 64)
		return reflect.ValueOf(number).Convert(kind), err
	case reflect.Uint64, reflect.Uint32:
		number, err := strconv.ParseUint(text, 10, 64)
		return reflect.ValueOf(number).Convert(kind), err
	case reflect.Float64:
		number, err := strconv.ParseFloat(text, 64)
		return reflect.ValueOf(number), err
	}
	return reflect.Value{}, fmt.Errorf("argument of kind %s", kind)
}

func run(service interface{}, call Call) (outcome string) {
	defer func() {
		if problem := recover(); problem != nil {
			outcome = fmt.Sprintf("panic: %v", problem)
		}
	}()
	owner := reflect.ValueOf(service)
	for _, name := range call.Path[:len(call.Path)-1] {
		next, ok := member(owner, name)
		if !ok {
			return "absent"
		}
		owner = next
	}
	function, ok := method(owner, call.Path[len(call.Path)-1])
	if !ok {
		return "absent"
	}
	signature := function.Type()
	arguments := []reflect.Value{}
	texts := call.Args
	for index := 0; index < signature.NumIn(); index++ {
		kind := signature.In(index)
		if kind.Kind() == reflect.Ptr {
			body := reflect.New(kind.Elem())
			if len(call.Body) > 0 {
				if err := json.Unmarshal(call.Body, body.Interface()); err != nil {
					return "absent: body: " + err.Error()
				}
			}
			arguments = append(arguments, body)
			continue
		}
		if len(texts) == 0 {
			return "absent: more arguments than the document has"
		}
		value, err := argument(kind, texts[0])
		if err != nil {
			return "absent: " + err.Error()
		}
		arguments = append(arguments, value)
		texts = texts[1:]
	}
	if len(texts) > 0 {
		return "absent: fewer arguments than the document has"
	}
	prepared := function.Call(arguments)[0]
	for name, text := range call.Query {
		setter, ok := method(prepared, name)
		if !ok || setter.Type().NumIn() != 1 {
			continue
		}
		kind := setter.Type().In(0)
		if setter.Type().IsVariadic() {
			kind = kind.Elem()
		}
		if value, err := argument(kind, text); err == nil {
			setter.Call([]reflect.Value{value})
		}
	}
	do := prepared.MethodByName("Do")
	if !do.IsValid() {
		return "absent: no Do"
	}
	results := do.Call(nil)
	if err, isError := results[len(results)-1].Interface().(error); isError && err != nil {
		return "error: " + err.Error()
	}
	return "ok"
}

func main() {
	url := os.Args[1]
	var calls []Call
	if err := json.NewDecoder(os.Stdin).Decode(&calls); err != nil {
		panic(err)
	}
	services := map[string]interface{}{}
	output := json.NewEncoder(os.Stdout)
	for _, call := range calls {
		service, ok := services[call.Service]
		if !ok {
			created, err := create(context.Background(), call.Service, url+call.Endpoint, http.DefaultClient)
			if err != nil {
				panic(err)
			}
			service = created
			services[call.Service] = service
		}
		if err := output.Encode(Result{call.Service, call.Method, run(service, call)}); err != nil {
			panic(err)
		}
	}
}
