# Drives the servers of ruby.test.ts with Google's client of Ruby, whose uploads
# have the header X-Goog-Upload-Protocol.
#
# usage: ruby checks.rb NAME=ROOT_URL...
#
# Prints a line of JSON for each check: its name, and what went wrong. The test
# reads the names in this file.

require 'google/apis/drive_v3'
require 'google/apis/storage_v1'
require 'json'
require 'stringio'
require 'tempfile'

ROOTS = ARGV.to_h { |pair| pair.split('=', 2) }
TEXT = "\r\n--\r\n--boundary--\r\n\r\n\0".b + (0..255).to_a.pack('C*')
LARGE = (0...600_000).map { |at| at * 7 & 255 }.pack('C*')
ODD = "a folder/100% of naïve + 漢字 & \"quotes\"?#.txt"

def service(type, root)
  made = type.new
  made.root_url = ROOTS.fetch(root)
  made
end

STORAGE = service(Google::Apis::StorageV1::StorageService, 'storage.v1')
DRIVE = service(Google::Apis::DriveV3::DriveService, 'drive.v3')
MOCK = service(Google::Apis::DriveV3::DriveService, 'mock')

def check(name)
  failure = begin
    yield
    nil
  rescue StandardError => e
    "#{e.class}: #{e.message} #{e.backtrace.first(5)}"
  end
  puts JSON.generate({ name: name, failure: failure })
  $stdout.flush
end

def equal(got, expected)
  raise "expected #{expected.inspect[0, 300]}, got #{got.inspect[0, 300]}" unless got == expected
end

# Status of the error that a block ends with.
def status_of
  yield
  raise 'expected an error'
rescue Google::Apis::Error => e
  e.status_code
end

def content(bucket, name)
  STORAGE.get_object(bucket, name, download_dest: StringIO.new).string.b
end

# Adds an object; yields the command before it is sent.
def insert(name, source)
  body = Google::Apis::StorageV1::Object.new(name: name)
  command = nil
  STORAGE.define_singleton_method(:execute_or_queue_command) { |made, &_| command = made }
  begin
    STORAGE.insert_object('ruby', body, upload_source: source, content_type: 'text/x-odd')
  ensure
    STORAGE.singleton_class.send(:remove_method, :execute_or_queue_command)
  end
  yield command
  command.execute(STORAGE.client)
end

check('a bucket is made, and refused twice') do
  bucket = Google::Apis::StorageV1::Bucket.new(name: 'ruby')
  equal(STORAGE.insert_bucket('p', bucket).name, 'ruby')
  equal(status_of { STORAGE.insert_bucket('p', bucket) }, 409)
end

check('an upload with metadata') do
  body = Google::Apis::StorageV1::Object.new(name: ODD, metadata: { 'key' => 'naïve' })
  made = STORAGE.insert_object('ruby', body, upload_source: StringIO.new(TEXT), content_type: 'text/x-odd')
  equal([made.name, made.size, made.content_type], [ODD, TEXT.bytesize, 'text/x-odd'])
  equal(made.metadata, { 'key' => 'naïve' })
  equal(content('ruby', ODD), TEXT)
end

check('an upload of a file without metadata') do
  Tempfile.create('gen') do |file|
    file.binmode
    file.write(LARGE)
    file.flush
    made = STORAGE.insert_object('ruby', name: 'large', upload_source: file.path, content_type: 'video/mp4')
    equal([made.name, made.size, made.content_type], ['large', LARGE.bytesize, 'video/mp4'])
  end
  equal(content('ruby', 'large'), LARGE)
end

check('an empty upload') do
  made = STORAGE.insert_object('ruby', name: 'empty', upload_source: StringIO.new, content_type: 'text/plain')
  equal(made.size, 0)
end

check('an upload that is continued after a failure') do
  made = insert('continued', StringIO.new(LARGE)) do |command|
    failed = false
    command.define_singleton_method(:send_upload_command) do |client|
      next super(client) if failed

      # As if only a part had arrived before the connection broke.
      failed = true
      header = { 'X-Goog-Upload-Command' => 'upload', 'X-Goog-Upload-Offset' => '0' }
      client.post(@upload_url, body: LARGE[0, 100_000], header: header)
      raise Google::Apis::TransmissionError, 'broken'
    end
    command.options.retries = 2
  end
  equal(made.size, LARGE.bytesize)
  equal(content('ruby', 'continued'), LARGE)
end

check('an upload whose response is lost is not repeated') do
  made = insert('lost', StringIO.new(TEXT)) do |command|
    command.options.retries = 2
    lost = false
    command.define_singleton_method(:send_upload_command) do |client|
      response = super(client)
      next response if lost

      lost = true
      raise Google::Apis::TransmissionError, 'lost'
    end
  end
  equal([made.size, made.generation.nil?], [TEXT.bytesize, false])
end

check('an error of the method is final') do
  source = StringIO.new(TEXT)
  status = status_of do
    STORAGE.insert_object('ruby', name: 'large', if_generation_match: 0, upload_source: source)
  end
  equal(status, 412)
  equal(content('ruby', 'large'), LARGE)
end

check('an upload into a bucket that is not there') do
  equal(status_of { STORAGE.insert_object('none', name: 'x', upload_source: StringIO.new('x')) }, 404)
end

[['drive', DRIVE], ['the mock of drive', MOCK]].each do |name, drive|
  check("#{name}: content is made, read and replaced") do
    body = Google::Apis::DriveV3::File.new(name: 'ä.bin')
    made = drive.create_file(body, upload_source: StringIO.new(TEXT), content_type: 'image/png', fields: 'id,name')
    equal(made.name, 'ä.bin')
    read = -> { drive.get_file(made.id, download_dest: StringIO.new).string.b }
    equal(read.call, TEXT)
    changed = drive.update_file(made.id, upload_source: StringIO.new(LARGE), content_type: 'image/png')
    equal([changed.id, changed.name], [made.id, 'ä.bin'])
    equal(read.call, LARGE)
  end
end
