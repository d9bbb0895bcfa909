import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { addAuthorizationCancel } from './cancel.js';
import { addAuthorizationList } from './list.js';
import { addAuthorizationShow } from './show.js';

/** Adds the commands `knowledge authorization …`, which support uses. */
export function addAuthorizationCommands(group: Command, handle: CommandHandler): void {
  addAuthorizationList(group, handle);
  addAuthorizationShow(group, handle);
  addAuthorizationCancel(group, handle);
  addExamples(group, 'authorization list --state pending', 'authorization show ID');
}
