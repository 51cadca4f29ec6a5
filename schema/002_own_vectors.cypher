// Step 2: Embedding.vector is either the vector itself, as before, or @TABLE/ID: the own vector of that note or message (v_text of
// Message, v_narrative of SpecificSituation), so that what a long chat says is not in the file twice. No table changes: the step is
// here so that versions of soulmem which read every value as a vector do not open the mind.
