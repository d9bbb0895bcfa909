import { codePoints, hiddenFault, refuse, shownLineFault } from '@knowledge/runtime';
import { contactIn, isPlaceholder, isReservedName } from '@knowledge/runtime/names';
import { bounds } from '@knowledge/runtime/product';

/**
 * Checks an agent's name: Unicode letters, marks, digits, spaces, `_-+()'`, and inside also `.` and `/`
 * (gateway/PROTOCOL.md#request). Names of nothing but the service, its operator and their roles are refused, and names with an address. If a mail
 * program could turn a name into a link all the same, `mailedName` changes the name in mails.
 *
 * @throws KnowledgeError `validation_error`.
 */
export function requireAgentName(input: string, operatorName = ''): string {
  const visible = input.replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  if (
    !/[\p{L}\p{Nd}]/u.test(visible) ||
    codePoints(input) > bounds.agentName.max ||
    !/^(?![./])[\p{L}\p{M}\p{Nd} _\-+()'./]+(?<![./])$/u.test(input)
  ) {
    refuse(
      `agent_name must be ${bounds.agentName.min} to ${bounds.agentName.max} characters, one of them a letter or digit: letters, marks, digits, spaces and _-+()', inside also . and /`,
    );
  }
  const fault = shownLineFault('agent_name', input, bounds.agentName);
  if (fault !== undefined) refuse(fault);
  if (isPlaceholder(input) || isReservedName(input, operatorName)) {
    refuse(
      'agent_name must be the name of the agent: this one was left unfilled, or stands for the service or those who work for it',
    );
  }
  const contact = contactIn(input);
  if (contact !== undefined) {
    refuse(`agent_name must be a plain name: this one has ${contact}`);
  }
  return input;
}

/**
 * Checks the purpose that an agent gives. Hidden characters are refused.
 *
 * @throws KnowledgeError `validation_error`.
 */
export function requirePurpose(input: string): string {
  const hidden = hiddenFault(input);
  if (hidden !== undefined) refuse(`purpose ${hidden}`);
  const { max } = bounds.purpose;
  if (codePoints(input) > max || input.includes('\0')) {
    refuse(`purpose must be at most ${max} characters, none of them NUL`);
  }
  return input;
}

/** Masks an address for the agent, such as `j•••@example.org`. */
export function maskEmail(email: string): string {
  return `${email.slice(0, 1)}•••${email.slice(email.indexOf('@'))}`;
}
