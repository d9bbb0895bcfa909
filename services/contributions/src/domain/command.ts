/** A change of a contribution that a moderator, its human or the service can request. */
export type Command =
  | { kind: 'approve'; publish: boolean }
  | { kind: 'publish' }
  | { kind: 'retract' }
  | { kind: 'request_changes' }
  | { kind: 'reject' }
  | { kind: 'reopen' }
  | { kind: 'answer'; text: string }
  | { kind: 'close'; note: string }
  | { kind: 'withdraw' }
  /** The human takes the contribution down and gives no reason. */
  | { kind: 'take_down' };

/** Names a command in plain words, for messages and for the log. */
export function commandWords(command: Command): string {
  return command.kind === 'approve' && command.publish ? 'approve and publish' : command.kind.replaceAll('_', ' ');
}
