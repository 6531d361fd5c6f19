using System.IO;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using Azure.Messaging.ServiceBus;
using Microsoft.Data.Sqlite;
using Microsoft.Extensions.Hosting;

public record ScanJob(string Patient, string Series);

public class ScanWorker : BackgroundService
{
    private readonly ServiceBusClient _client;
    private readonly SqliteConnection _db = new("Data Source=/srv/scans/scans.db");

    public ScanWorker(ServiceBusClient client) => _client = client;

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        await _db.OpenAsync(stoppingToken);
        var receiver = _client.CreateReceiver("scans");
        await foreach (var message in receiver.ReceiveMessagesAsync(stoppingToken))
        {
            var job = JsonSerializer.Deserialize<ScanJob>(message.Body.ToString())!;
            await Handle(job);
            await receiver.CompleteMessageAsync(message, stoppingToken);
        }
    }

    private async Task Handle(ScanJob job)
    {
        var cmd = new SqliteCommand($"UPDATE patient SET scanned = 1 WHERE code = '{job.Patient}'", _db);
        await cmd.ExecuteNonQueryAsync();

        await File.WriteAllTextAsync("/srv/scans/" + job.Series + ".txt", job.Patient);
        await File.WriteAllTextAsync(Path.Combine("/srv/last", Path.GetFileName(job.Series)), job.Patient);
    }
}
