// Names of what a server holds, from either form: the id alone, or with the folder it stands in.

/** `scenes/{scene}`. */
export function sceneName(name: string): string {
  return within("scenes/", name);
}

/** `snapshots/{snapshot}`. */
export function snapshotName(name: string): string {
  return within("snapshots/", name);
}

/** `recordings/{recording}`. */
export function recordingName(name: string): string {
  return within("recordings/", name);
}

function within(folder: string, name: string): string {
  return name.startsWith(folder) ? name : folder + name;
}
