import type { Command } from 'commander';
import type { Act } from '../../desk.js';
import { addTokenIssue } from './issue.js';

/** `knowledge token …`, for support. */
export function addTokenCommands(program: Command, act: Act): void {
  const group = program.command('token').description('the tokens that agents hold for a verified e-mail');
  addTokenIssue(group, act);
}
