import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { addAuthorizationCancel } from './cancel.js';
import { addAuthorizationList } from './list.js';
import { addAuthorizationShow } from './show.js';

/** Adds the commands `knowledge authorization …`, which support uses. */
export function addAuthorizationCommands(program: Command, handle: CommandHandler): void {
  const group = program.command('authorization').description('requests of agents to act for humans, and the decisions');
  addAuthorizationList(group, handle);
  addAuthorizationShow(group, handle);
  addAuthorizationCancel(group, handle);
  addExamples(group, 'authorization list --state pending', 'authorization show ID');
}
