using System.Diagnostics;
using System.Net;
using System.Text.Json;
using Azure.Messaging.ServiceBus;
using Microsoft.Azure.Functions.Worker;
using Microsoft.Azure.Functions.Worker.Http;
using Microsoft.Data.SqlClient;

namespace Papertrail.Functions;

public record ExportRequest(string Kind, string? Name, int? Year);

public class DocumentFunctions
{
    private const string Exports = "/mnt/exports";
    private readonly SqlConnection _connection;

    public DocumentFunctions(SqlConnection connection) => _connection = connection;

    [Function("Export")]
    public async Task<HttpResponseData> Export([HttpTrigger(AuthorizationLevel.Function, "post")] HttpRequestData req)
    {
        var body = await JsonSerializer.DeserializeAsync<ExportRequest>(req.Body);
        var path = body switch
        {
            { Kind: "annual", Year: int year } => Path.Combine(Exports, "annual", year + ".csv"),
            { Kind: "custom", Name: { Length: > 0 } name } => Path.Combine(Exports, "custom", name),
            _ => Path.Combine(Exports, "empty.csv"),
        };
        var response = req.CreateResponse(HttpStatusCode.OK);
        await response.WriteBytesAsync(await File.ReadAllBytesAsync(path));
        return response;
    }

    [Function("Ocr")]
    public async Task Ocr([QueueTrigger("ocr-jobs")] string message)
    {
        using var job = JsonDocument.Parse(message);
        var root = job.RootElement;
        var pages = root.GetProperty("pages").GetInt32();
        var language = root.TryGetProperty("lang", out var lang) ? lang.GetString() : "eng";
        var arguments = $"-c \"pdftoppm -l {pages} /mnt/in/{root.GetProperty("id").GetGuid()}.pdf - | tesseract - - -l {language}\"";
        using var process = Process.Start("/bin/bash", arguments);
        await process.WaitForExitAsync();
    }

    [Function("Store")]
    public async Task Store([BlobTrigger("inbox/{name}")] byte[] content, string name)
    {
        var local = Path.Combine(Exports, "inbox", "in-" + Path.GetFileName(name));
        await File.WriteAllBytesAsync(local, content);
    }

    [Function("Retention")]
    public async Task Retention([ServiceBusTrigger("retention")] ServiceBusReceivedMessage message)
    {
        await _connection.OpenAsync();
        await using var command = _connection.CreateCommand();
        command.CommandText = "DELETE FROM Documents WHERE ExpiresOn < GETUTCDATE()";
        if (message.ApplicationProperties.TryGetValue("archive", out var archive) && archive is string name)
            command.CommandText += $" AND Archive = '{name}'";
        await command.ExecuteNonQueryAsync();
    }

    [Function("Recount")]
    public async Task Recount([ServiceBusTrigger("recount")] ServiceBusReceivedMessage message)
    {
        await _connection.OpenAsync();
        await using var command = _connection.CreateCommand();
        var year = message.ApplicationProperties.TryGetValue("year", out var y) && y is int n ? n : 2024;
        command.CommandText = $"UPDATE Totals SET Documents = 0 WHERE Year = {year}";
        await command.ExecuteNonQueryAsync();
    }
}
