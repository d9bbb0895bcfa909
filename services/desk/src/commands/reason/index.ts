import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { addReasonDelete } from './delete.js';
import { addReasonImport } from './import.js';
import { addReasonList } from './list.js';
import { addReasonPut } from './put.js';

/** Adds the commands `knowledge reason …`. Administrators write reasons, moderators choose them. */
export function addReasonCommands(group: Command, handle: CommandHandler): void {
  addReasonList(group, handle);
  addReasonPut(group, handle);
  addReasonDelete(group, handle);
  addReasonImport(group, handle);
  addExamples(group, 'reason list', 'reason put advertisement "It is an advertisement." --for reject close');
}
