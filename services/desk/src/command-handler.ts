import type { Command } from 'commander';
import type { Session } from './session.js';

/** Wraps the work of a command: opens its session, reports a failure and closes it. Work may return an exit code. */
export type CommandHandler = <Args extends unknown[]>(
  work: (session: Session, ...args: Args) => Promise<unknown>,
) => (...args: unknown[]) => Promise<void>;

/** Adds subcommands, options and the action to a command that has only its name and description. */
export type AddCommands = (command: Command, handle: CommandHandler) => void;
