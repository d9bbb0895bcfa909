/** Whether a client sent what its configuration left unfilled, such as `${TOKEN}`, `<token>`, `%ID%` or `undefined`. */
export function isPlaceholder(value: string): boolean {
  return /^(?:undefined|null|none|\[object object\]|<.*>|%.*%|\$\w+|your[-_ ].*)$|\$\{|\{\{/i.test(value.trim());
}
