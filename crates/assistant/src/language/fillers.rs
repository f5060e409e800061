//! Words that say nothing of the data.

/// Words without a meaning of their own.
pub(super) const FILLERS: &str = "breakdown|a|an|the|of|for|in|on|at|is|are|was|were|be|been|being|do|does|did|done|has|have|had|can|could|would|may|might|\
    i|me|my|mine|we|us|our|you|your|please|pls|plz|give|tell|tell me|look|look like|like|want|wanted|need|know|get|got|find|find out|\
    i would like to know|would like to|like to|let|lets|let us|there|here|so|any|all|some|much|many|very|really|actually|currently|\
    plot|draw|graph|chart|visualise|visualize|visualisation|visualization|diagram|create|make|build|render|generate|report|overview|summary|summarise|summarize|\
    data|number|numbers|figure|result|results|information|info|statistics|stats|happen|happened|happening|occur|occurred|take|takes|took|taken|taking|place|\
    go|goes|going|went|gone|come|came|coming|come in|came in|coming in|fly|flew|flown|flying|flies|travel|travelled|traveled|travelling|run|ran|running|operate|operated|serve|served|serving|\
    use|used|using|record|recorded|recording|say|said|made|makes|given|gave|gives|placed|brought|earned us|bring in|exist|existing|available|move|moved|handle|handled|\
    its|their|his|her|if|while|during|about|regarding|concerning|respect|terms|in terms of|respective|respectively|following|such|other|others|own|same time|far|big|high|low|large|small|\
    in total|total number|how big|how high|current|entire|whole|the full|a full|the complete|a complete|in full|full year|again|once|ever|yet|still|well|yes|sure|right|per cent|way|kind of|type of|kinds of|types of|\
    collected|incurred|achieved|logged|spotted|saw|anything|anyone|anybody|something|at all|right now|in our|up|down|off|out|back|away|within this|broken|split|break|divide|divided|group|grouped|rank|ranked by|calculate|compute|determine|what does|in the|of the|on the|at the|for the|with respect to|sum up|picture|each other";
