import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { addObjectImport } from './import.js';
import { addObjectList } from './list.js';
import { addObjectShow } from './show.js';
import { addObjectWithdraw } from './withdraw.js';

/** Adds the commands `knowledge object …`, which editors use. */
export function addObjectCommands(group: Command, handle: CommandHandler): void {
  addObjectImport(group, handle);
  addObjectList(group, handle);
  addObjectShow(group, handle);
  addObjectWithdraw(group, handle);
  addExamples(group, 'object import ./objects --site org', 'object list --site org', 'object withdraw ID');
}
