package tv.stream.media;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.UUID;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

@Component
public class MediaJobListener {

    private static final Path MEDIA = Path.of("/data/media");
    private static final Path LOGS = Path.of("/var/log/media");

    enum Preset { FAST, MEDIUM, SLOW }

    sealed interface Job permits Transcode, Thumbnail, Subtitle, Purge { }

    record Transcode(String source, Preset preset) implements Job { }

    record Thumbnail(UUID asset, int second) implements Job { }

    record Subtitle(UUID asset, String track, String body) implements Job { }

    record Purge(String asset, String variant) implements Job { }

    private final ObjectMapper mapper = new ObjectMapper();

    @KafkaListener(topics = "media-jobs", groupId = "workers")
    public void onMessage(String payload) throws IOException, InterruptedException {
        Job job = parse(mapper.readTree(payload));
        switch (job) {
            case Transcode(String source, Preset preset) -> transcode(source, preset);
            case Thumbnail t -> thumbnail(t);
            case Subtitle s -> subtitle(s);
            case Purge(var asset, var variant) -> Files.deleteIfExists(MEDIA.resolve(asset).resolve(variant));
        }
        Path log = LOGS.resolve(job.getClass().getSimpleName().toLowerCase() + ".log");
        Files.writeString(log, Instant.now() + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private Job parse(JsonNode node) {
        String kind = node.path("kind").asText();
        return switch (kind) {
            case "transcode" -> new Transcode(
                    node.path("source").asText(),
                    Preset.valueOf(node.path("preset").asText("FAST")));
            case "thumbnail" -> new Thumbnail(
                    UUID.fromString(node.path("asset").asText()),
                    node.path("second").asInt());
            case "subtitle" -> new Subtitle(
                    UUID.fromString(node.path("asset").asText()),
                    node.path("track").asText().replace("/", "_"),
                    node.path("body").asText());
            case "purge" -> new Purge(node.path("asset").asText(), node.path("variant").asText());
            default -> throw new IllegalArgumentException(kind);
        };
    }

    private void transcode(String source, Preset preset) throws IOException, InterruptedException {
        String target = UUID.randomUUID() + ".mp4";
        String command = String.format("ffmpeg -y -i %s -preset %s %s/%s && touch %s/.done",
                source.replace("'", "\\'"), preset.name().toLowerCase(), MEDIA, target, MEDIA);
        new ProcessBuilder("bash", "-c", command).inheritIO().start().waitFor();
    }

    private void subtitle(Subtitle job) throws IOException {
        String track = URLDecoder.decode(job.track(), StandardCharsets.UTF_8);
        Files.writeString(MEDIA.resolve(job.asset().toString()).resolve(track), job.body());
    }

    private void thumbnail(Thumbnail job) throws IOException, InterruptedException {
        String in = MEDIA + "/" + job.asset() + "/source.mp4";
        String command = "ffmpeg -ss " + job.second() + " -i " + in
                + " -frames:v 1 - | cwebp -o " + MEDIA + "/" + job.asset() + "/thumb.webp -- -";
        new ProcessBuilder("bash", "-c", command).inheritIO().start().waitFor();
    }
}
