import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { addEndSession, addSessions } from './sessions.js';
import { addSignIn } from './sign-in.js';
import { addStaff } from './staff.js';

/** Adds the commands `knowledge desk …`: who works in the web desk. */
export function addDeskCommands(group: Command, handle: CommandHandler): void {
  addSignIn(group, handle);
  addSessions(group, handle);
  addEndSession(group, handle);
  addStaff(group, handle);
  addExamples(group, 'desk sign-in --role moderator', 'desk sessions', 'desk end-session ID', 'desk staff');
}
