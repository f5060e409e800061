// Roles that a test makes for itself, and the settings of their flags in the console.

/** The flags that grant editing. */
export const GRANTS = ['addChart', 'addFilter', 'createChart', 'editCharts', 'removeChart', 'canDuplicateDashboard', 'addDashboard'];

/** A role's permissions with these granting flags on and the others off, and `more`. */
export function granting(flags, more = {}) {
  return { ...Object.fromEntries(GRANTS.map((flag) => [flag, flags.includes(flag)])), ...more };
}

let roles = 0;

/** Creates a role in the tests' project, or another one, and returns its id. */
export async function makeRole(service, permissions, { projectId } = service.project) {
  roles += 1;
  const answer = await fetch(`${service.url}/v1/api/projects/${projectId}/user-roles`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: `Role ${process.pid}-${roles}`, permissions }),
  });
  const body = await answer.json();
  if (!answer.ok) throw new Error(`user-roles answered ${answer.status}: ${JSON.stringify(body)}`);
  return body.data.userRole.id;
}

/** The setting of a flag in the console, by the flag's title. */
export const permission = (surface, title) => surface.getByRole('radiogroup', { name: title, exact: true });

/** A choice of it: `On`, `Off` or `Default (…)`. */
export const setting = (surface, title, choice) => permission(surface, title).getByRole('radio', { name: choice, exact: true });
