// Templates of roles. Each is a link to the form with its values, which works without a script.

/** Fills in the form in place when a template is chosen. */
export function templates(root) {
  for (const list of root.querySelectorAll('[data-templates]')) {
    list.addEventListener('click', (event) => {
      const link = event.target.closest('a[data-flags]');
      // These keys open the link elsewhere.
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      const form = list.closest('form');
      choose(form, new URLSearchParams(link.dataset.flags));
      const renamed = list.hasAttribute('data-naming') && rename(form.elements.name, link.dataset.name, list);
      // Marks the form as changed and updates the preview.
      (renamed ? form.elements.name : form).dispatchEvent(new Event('input', { bubbles: true }));
      list.querySelector('[role="status"]').textContent = link.dataset.told;
    });
  }
}

/** Sets every flag. One that the template does not set gets its default. */
function choose(form, flags) {
  for (const button of form.querySelectorAll('.setting input')) button.checked = button.value === (flags.get(button.name) ?? '');
}

/** Names a role after its template, unless its name was typed. */
function rename(field, name, list) {
  const names = [...list.querySelectorAll('a[data-name]')].map((link) => link.dataset.name);
  if (field.value.trim() && !names.includes(field.value)) return false;
  field.value = name;
  return true;
}
