-- It is asked once for each opt-out of a period: to plan it each time takes longer than to run it.
ALTER FUNCTION last_campaign_message SET plan_cache_mode = force_generic_plan;
