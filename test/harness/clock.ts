import { existsSync } from 'node:fs';

const libraries = ['x86_64', 'aarch64'].map((cpu) => `/usr/lib/${cpu}-linux-gnu/faketime/libfaketime.so.1`);

/** The environment of a process whose clock is ahead of ours by this number of seconds. Its timers run as usual. */
export function clockAhead(seconds: number): Record<string, string> {
  const library = libraries.find(existsSync);
  if (library === undefined) throw new Error('libfaketime must be installed (apt-get install faketime)');
  return {
    LD_PRELOAD: library,
    FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}s`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  };
}
