#!/usr/bin/env bash
# Opens or updates the pull requests of the action (action.yml) after `gen update`:
# one for the changes of the working tree, or one for each API that the report
# gen-update.json names. Each branch starts at the current commit.
set -eo pipefail

git config user.name "github-actions[bot]"
git config user.email "41898282+github-actions[bot]@users.noreply.github.com"

# Arguments: branch, title. The text of the pull request is the summary.
open_pull_request() {
  git add --all
  if git diff --cached --quiet; then return 0; fi
  git switch --force-create "$1"
  git commit --quiet --message "$2"
  git push --force origin "$1"
  local number
  number=$(gh pr list --head "$1" --json number --jq ".[].number")
  if [ -n "$number" ]; then
    gh pr edit "$number" --body-file "$RUNNER_TEMP/gen-summary.md"
  else
    gh pr create --head "$1" --title "$2" --body-file "$RUNNER_TEMP/gen-summary.md"
  fi
}

if [ "$ACTION_PULL_REQUEST" = one ]; then
  open_pull_request "$ACTION_BRANCH" "Update API descriptions"
  exit 0
fi
if [ -n "$ACTION_VERSION" ]; then
  npx=(npx --yes "discovery-codegen@$ACTION_VERSION")
else
  npx=(npx --no-install discovery-codegen)
fi
base=$(git rev-parse HEAD)
names=$(node -p '
  const { apis } = JSON.parse(require("node:fs").readFileSync(process.argv[1]));
  apis.filter(({ status }) => status === "updated").map(({ api }) => api).join("\n")
' "$RUNNER_TEMP/gen-update.json")
for api in $names; do
  git switch --quiet --detach "$base"
  "${npx[@]}" update "$api" --summary "$RUNNER_TEMP/gen-summary.md"
  open_pull_request "$ACTION_BRANCH-${api//:/-}" "Update $api"
done
