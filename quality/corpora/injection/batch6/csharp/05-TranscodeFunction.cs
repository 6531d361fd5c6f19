using System;
using System.Data.SqlClient;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading.Tasks;
using Microsoft.Azure.WebJobs;
using Microsoft.Extensions.Logging;

namespace Media.Functions
{
    public class TranscodeJob
    {
        public int Id { get; set; }
        public string Folder { get; set; }
        public string Owner { get; set; }
        public string Subtitle { get; set; }
    }

    public class TranscodeFunction
    {
        private const string Work = "/mnt/work";
        private readonly string _sql = Environment.GetEnvironmentVariable("SqlConnection");

        private static bool IsPlain(string value) =>
            !string.IsNullOrEmpty(value) && value.All(c => char.IsLetterOrDigit(c) || c == '-');

        [FunctionName("Transcode")]
        public async Task Run([QueueTrigger("transcode")] string message, ILogger log)
        {
            var job = JsonSerializer.Deserialize<TranscodeJob>(message);
            Prepare(job, log);
            await SubtitleAsync(job);
            await MarkAsync(job);
            await QuotaAsync(job, log);
        }

        private static void Prepare(TranscodeJob job, ILogger log)
        {
            var status = Path.Combine(Work, "status", job.Id + ".json");
            File.WriteAllText(status, JsonSerializer.Serialize(job));

            var plain = IsPlain(job.Folder);
            log.LogInformation("folder {Folder} plain: {Plain}", job.Folder, plain);
            Directory.CreateDirectory(Path.Combine(Work, job.Folder));
        }

        private static async Task SubtitleAsync(TranscodeJob job)
        {
            if (!IsPlain(job.Subtitle))
            {
                throw new InvalidDataException("subtitle");
            }
            var source = Path.Combine(Work, "subtitles", job.Subtitle + ".vtt");
            var text = await File.ReadAllTextAsync(source);
            Console.WriteLine(text.Length);
        }

        private async Task MarkAsync(TranscodeJob job)
        {
            await using var con = new SqlConnection(_sql);
            await con.OpenAsync();
            var cmd = new SqlCommand("UPDATE Jobs SET State = 'running' WHERE Id = @id AND Owner = @owner", con);
            cmd.Parameters.AddWithValue("@id", job.Id);
            cmd.Parameters.AddWithValue("@owner", job.Owner);
            await cmd.ExecuteNonQueryAsync();
        }

        private async Task QuotaAsync(TranscodeJob job, ILogger log)
        {
            await using var con = new SqlConnection(_sql);
            await con.OpenAsync();
            var cmd = con.CreateCommand();
            cmd.CommandText = "SELECT COUNT(*) FROM Jobs WHERE Owner = '" + job.Owner + "'";
            var used = (int)await cmd.ExecuteScalarAsync();
            log.LogInformation("{Owner} has {Used} jobs", job.Owner, used);
        }
    }
}
