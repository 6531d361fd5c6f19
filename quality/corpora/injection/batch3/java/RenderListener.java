package studio.render;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

@Component
class RenderListener {

    private static final Path SCENES = Paths.get("/render/scenes");
    private final ObjectMapper mapper = new ObjectMapper();

    @KafkaListener(topics = "render-jobs", groupId = "render")
    void onJob(ConsumerRecord<String, String> record) throws IOException, InterruptedException {
        JsonNode job = mapper.readTree(record.value());
        String preset = job.path("preset").asText();
        int frames = job.path("frames").asInt(1);

        Process p = new ProcessBuilder("/bin/sh", "-c", "blender -b current.blend --python-expr \"use('" + preset + "')\"")
                .directory(SCENES.toFile())
                .inheritIO()
                .start();
        p.waitFor();

        Process q = Runtime.getRuntime().exec(new String[] {"/bin/sh", "-c", "ls out | head -n " + frames});
        q.waitFor();
    }

    @KafkaListener(topics = "render-cleanup", groupId = "render")
    void onCleanup(String sceneName) throws IOException {
        Files.deleteIfExists(SCENES.resolve(sceneName + ".blend"));
    }
}
