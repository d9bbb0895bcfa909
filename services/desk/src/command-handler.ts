import type { Session } from './session.js';

/** Turns work into the action of a command. A number that it gives is the exit code; else it is 0. */
export type CommandHandler = <Args extends unknown[]>(
  work: (session: Session, ...args: Args) => Promise<unknown>,
) => (...args: unknown[]) => Promise<void>;
