package org.example.avalanche;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

@Component
public class AvalancheListener {

    private static final Logger LOG = LoggerFactory.getLogger(AvalancheListener.class);
    private final ObjectMapper mapper = new ObjectMapper();

    @KafkaListener(topics = "snow.profile")
    public void onProfile(String payload) throws Exception {
        JsonNode node = mapper.readTree(payload);
        String sector = node.path("sector").asText();
        if (sector.contains(" ")) {
            LOG.warn("sector with blanks: {}", sector);
            return;
        }
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", "snowpack --sector " + sector + " >> /var/log/snowpack.log");
        await(builder.start());
    }

    @KafkaListener(topics = "snow.blast")
    public void onBlast(String payload) throws Exception {
        JsonNode node = mapper.readTree(payload);
        List<String> command = new ArrayList<>();
        command.add("/opt/blast/fire");
        command.add("--tower=" + node.path("tower").asText());
        command.add("--delay=" + node.path("delay").asInt(30));
        await(new ProcessBuilder(command).directory(new File("/opt/blast")).inheritIO().start());
    }

    @KafkaListener(topics = "snow.bulletin")
    public void onBulletin(String payload) throws Exception {
        JsonNode node = mapper.readTree(payload);
        String headline = node.path("headline").asText().replace("'", "\\'");
        List<String> words = List.of("printf", "'%s\\n'", "'" + headline + "'", "|", "lp", "-d", "valley");
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", String.join(" ", words));
        await(builder.start());
    }

    @KafkaListener(topics = "snow.closure")
    public void onClosure(Map<String, String> event) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", "printf '%s\\n' \"$ROAD\" >> /srv/closures/today.txt");
        builder.environment().put("ROAD", event.getOrDefault("road", "unknown"));
        await(builder.start());
    }

    private void await(Process process) throws IOException, InterruptedException {
        process.getOutputStream().close();
        if (!process.waitFor(90, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            LOG.error("killed {}", process.pid());
        }
    }
}
