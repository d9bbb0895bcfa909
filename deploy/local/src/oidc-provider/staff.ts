/** A made-up staff member, who needs no password. */
export interface StaffMember {
  readonly id: string;
  readonly name: string;
  readonly groups: readonly string[];
}

/** One staff member for each role of the web desk, and one without any. */
export const staff: readonly StaffMember[] = [
  { id: 'rosa', name: 'Rosa Reader', groups: ['cks-readers'] },
  { id: 'samir', name: 'Samir Support', groups: ['cks-support'] },
  { id: 'mona', name: 'Mona Moderator', groups: ['cks-moderators'] },
  { id: 'edda', name: 'Edda Editor', groups: ['cks-editors'] },
  { id: 'ada', name: 'Ada Administrator', groups: ['cks-admins'] },
  { id: 'nils', name: 'Nils Nobody', groups: [] },
];

export function findStaffMember(id: string): StaffMember | undefined {
  return staff.find((each) => each.id === id);
}
