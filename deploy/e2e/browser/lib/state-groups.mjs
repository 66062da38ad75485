// The states of pages by the people who bring them about.
import { administratorStates, strangerStates, visitorStates } from "./states.mjs";
import { eventStates } from "./states-event.mjs";
import { ownerStates } from "./states-owner.mjs";

export const groups = {
  visitor: visitorStates,
  owner: ownerStates,
  event: eventStates,
  stranger: strangerStates,
  administrator: administratorStates,
};
