package org.example.mosaic;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import java.io.ByteArrayInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Base64;
import java.util.Map;
import java.util.UUID;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

public class MosaicHandler implements RequestHandler<APIGatewayV2HTTPEvent, APIGatewayV2HTTPResponse> {

    private static final Path EFS = Path.of("/mnt/mosaics");

    @Override
    public APIGatewayV2HTTPResponse handleRequest(APIGatewayV2HTTPEvent event, Context context) {
        byte[] body = Base64.getDecoder().decode(event.getBody());
        Map<String, String> headers = event.getHeaders();
        try {
            switch (event.getRouteKey()) {
                case "PUT /tesserae":
                    tesserae(body);
                    break;
                case "PUT /patterns":
                    patterns(body);
                    break;
                case "POST /sketch":
                    sketch(body, headers.getOrDefault("x-sketch", "unnamed"));
                    break;
                default:
                    return reply(200, keep(body).toString());
            }
            return reply(204, "");
        } catch (IOException e) {
            context.getLogger().log(e.getMessage());
            return reply(422, "not a mosaic");
        }
    }

    private void tesserae(byte[] body) throws IOException {
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(body))) {
            ZipEntry entry;
            while ((entry = zip.getNextEntry()) != null) {
                if (entry.isDirectory() || entry.getName().startsWith("/")) {
                    continue;
                }
                Path target = EFS.resolve("tesserae").resolve(entry.getName());
                Files.copy(zip, target, StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private void patterns(byte[] body) throws IOException {
        Path base = EFS.resolve("patterns");
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(body))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path target = base.resolve(entry.getName()).normalize();
                if (!target.startsWith(base)) {
                    throw new IOException("entry leaves the archive: " + entry.getName());
                }
                if (!entry.isDirectory()) {
                    Files.createDirectories(target.getParent());
                    Files.copy(zip, target, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
    }

    private void sketch(byte[] body, String name) throws IOException {
        String trimmed = name.startsWith("..") ? name.substring(2) : name;
        try (OutputStream out = new FileOutputStream(EFS + "/sketches/" + trimmed + ".svg")) {
            out.write(body);
        }
    }

    private UUID keep(byte[] body) throws IOException {
        UUID id = UUID.nameUUIDFromBytes(body);
        Files.write(EFS.resolve("kept").resolve(id + ".bin"), body);
        return id;
    }

    private static APIGatewayV2HTTPResponse reply(int status, String text) {
        return APIGatewayV2HTTPResponse.builder().withStatusCode(status).withBody(text).build();
    }
}
