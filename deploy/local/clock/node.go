package main

// shiftedDate is a module that Node.js loads before a program. The module shifts Date, as the
// overlay shifts time.Now; performance.now and timers stay.
const shiftedDate = `const shift = Number(process.env.` + shiftVariable + `) * 1000;
globalThis.Date = new Proxy(Date, {
  apply: (machine) => new machine(machine.now() + shift).toString(),
  construct: (machine, values, type) => Reflect.construct(machine, values.length > 0 ? values : [machine.now() + shift], type),
  get: (machine, name) => (name === "now" ? () => machine.now() + shift : machine[name]),
});
`
