import { expect, it } from 'vitest';
import { groupRolesFaults, readGroupRoles, rolesOf } from './group-roles.js';

const groups = readGroupRoles(' cks-moderators=moderator; cn=staff,dc=example=editor;cks-moderators=support;');

it.each<[unknown, string[]]>([
  [['cks-moderators'], ['support', 'moderator']],
  ['cn=staff,dc=example', ['editor']],
  [
    ['cks-moderators', 'cn=staff,dc=example', 'other'],
    ['support', 'moderator', 'editor'],
  ],
  [['administrator', 'moderator'], []],
  [[{ name: 'cks-moderators' }], []],
  [undefined, []],
])('the groups %j give the roles %j', (claim, roles) => {
  expect(rolesOf(claim, groups)).toEqual(roles);
});

it.each([
  ...['cks-moderators', 'cks-moderators=boss', '=moderator', 'a=reader;b=', ' ; '],
  ...['a=moderator,b=administrator', 'a=moderator, b=editor,c=administrator', 'a=moderator b=administrator'],
])('%s is a wrong setting', (value) => {
  expect(groupRolesFaults(value)).toEqual([
    expect.stringMatching(/^OIDC_ROLES has .*; expected group=role;group=role with reader/),
  ]);
});

it.each([undefined, '', 'cn=moderator,ou=staff=moderator;', 'our moderators=moderator'])(
  '%s is a right one',
  (value) => {
    expect(groupRolesFaults(value)).toEqual([]);
  },
);
