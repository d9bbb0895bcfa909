/** The time that is this many milliseconds after another. */
export function later(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms);
}

/** The time that is this many milliseconds before another. */
export function earlier(at: Date, ms: number): Date {
  return later(at, -ms);
}
