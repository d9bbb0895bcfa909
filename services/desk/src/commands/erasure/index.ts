import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { addErasureCancel } from './cancel.js';
import { addErasureConfirm } from './confirm.js';
import { addErasureList } from './list.js';

/** Adds the commands `knowledge erasure …`, which support uses (SECURITY.md#erasing-a-person). */
export function addErasureCommands(group: Command, handle: CommandHandler): void {
  addErasureList(group, handle);
  addErasureConfirm(group, handle);
  addErasureCancel(group, handle);
  addExamples(group, 'erasure list', 'erasure confirm ID');
}
